"""Fixtures of all tests of challenges."""

import pytest

from tests.challenges.challenges import make_challenge, make_phase
from tests.challenges.people import make_arena
from tests.shared_rows import log_in_all, share_in_module


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


arena_of_module = share_in_module(make_arena)


@pytest.fixture
def arena(db, arena_of_module, tmp_path):
    """A challenge with everybody who may come to it."""
    return arena_of_module.take(tmp_path)


@pytest.fixture(scope="module")
def cookies(arena_of_module, django_db_blocker):
    """The cookies of everybody's browser, by role."""
    return log_in_all(arena_of_module.made.people, blocker=django_db_blocker)


@pytest.fixture
def phase():
    return make_phase(make_challenge())
