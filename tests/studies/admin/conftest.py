"""What tests of the admin start from."""

from pathlib import Path

import pytest

from tests.factories.studies import make_user


@pytest.fixture(autouse=True)
def _static_root(settings):
    # WhiteNoise warns where nothing was collected.
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture
def operator(client, db):
    """A browser in which a superuser is logged in."""
    client.force_login(make_user("operator", is_staff=True, is_superuser=True))
    return client
