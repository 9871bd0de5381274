"""The installed plugins that misbehave."""

import pytest

from tests.plugins.installing import installed_hostile_plugins, installed_stopping_plugins

__all__ = ["installed_hostile_plugins", "installed_stopping_plugins"]


@pytest.fixture
def _hostile(monkeypatch, installed_hostile_plugins):
    monkeypatch.syspath_prepend(installed_hostile_plugins)


@pytest.fixture
def _stopping(monkeypatch, installed_stopping_plugins):
    monkeypatch.syspath_prepend(installed_stopping_plugins)
