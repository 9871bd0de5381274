"""Fixtures of all tests of challenges."""

import pytest

from tests.challenges.challenges import make_challenge, make_phase
from tests.challenges.people import make_arena


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def arena(db):
    """A challenge with everybody who may come to it."""
    return make_arena()


@pytest.fixture
def phase():
    return make_phase(make_challenge())
