"""Fixtures of the tests of the admin."""

import pytest

from tests.factories.studies import make_user


@pytest.fixture
def operator(client, db):
    """A browser in which a superuser is logged in."""
    client.force_login(make_user("operator", is_staff=True, is_superuser=True))
    return client
