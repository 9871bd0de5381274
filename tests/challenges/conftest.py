"""Fixtures of all tests of challenges."""

import pytest

from tests.challenges.people import make_arena


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def arena(db):
    """A challenge with everybody who may come to it."""
    return make_arena()
