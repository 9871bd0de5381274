"""Fixtures of these tests."""

from pathlib import Path

import pytest
from django.conf import settings

from tests.emptying import let_tables_be_emptied  # noqa: F401 - a fixture for every test here


@pytest.fixture(scope="session", autouse=True)
def static_root() -> None:
    """WhiteNoise warns where nothing was collected yet."""
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
