"""Tests that the plugin is found and registers one metric."""

from metrics_plugins.runtime import load_registry


def test_metrics_of_the_plugin() -> None:
    assert [name.info.id for name in load_registry(strict=True) if name.plugin == "alignment"] == ["meteor"]
