"""Fixtures for the tests of encoders."""

from tests.metrics_plugins.encoders.conftest import _forget, tiny_folder

__all__ = ["_forget", "tiny_folder"]
