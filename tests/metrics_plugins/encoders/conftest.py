"""Fixtures that empty the caches before each test."""

from pathlib import Path

import pytest

from metrics_plugins.encoders.caching.disk import FOLDER_VARIABLE
from metrics_plugins.encoders.caching.memory import open_memory
from tests.metrics_plugins.encoders.tiny import open_shared_folder


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    open_memory.cache_clear()
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)


@pytest.fixture
def tiny_folder() -> Path:
    return open_shared_folder()
