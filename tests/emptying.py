"""Lets transactional tests empty the tables afterwards.

Django empties SQLite's tables by deleting their rows, in any order; the triggers that keep the items of a started
study refuse that. Emptying puts them back: it ends like a migration.
"""

from collections.abc import Iterator

import pytest
from django.db import DEFAULT_DB_ALIAS

from studies.collection.triggers.immutability import drop_triggers

_TRANSACTIONAL = {"transactional_db", "live_server"}


@pytest.fixture(autouse=True)
def let_tables_be_emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    """Drop the triggers once a transactional test is over; autouse, so it is undone before the database's fixture."""
    yield
    marker = request.node.get_closest_marker("django_db")
    if (marker and marker.kwargs.get("transaction")) or _TRANSACTIONAL & set(request.fixturenames):
        drop_triggers(DEFAULT_DB_ALIAS)
