"""What tests of pages start from."""

import pytest
from django.core.files.base import ContentFile

from tests.factories.open_studies import draw_picture
from tests.factories.studies import make_user


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def picture():
    return ContentFile(draw_picture())


@pytest.fixture
def owner(db):
    return make_user("owner")


@pytest.fixture
def researcher(client, owner):
    """A browser in which the owner is logged in."""
    client.force_login(owner)
    return client
