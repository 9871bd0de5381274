"""Fixtures of the tests of pages."""

import pytest
from django.core.files.base import ContentFile

from studies.models import Study
from tests.factories.open_studies import draw_picture
from tests.factories.studies import make_user
from tests.shared_rows import share_in_module
from tests.studies.people import make_people
from tests.studies.scored import list_items, make_scored_study


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


def _make_people():
    """Make a scored study and all of its people once for the tests of a module; see `share_rows`."""
    return make_people(make_scored_study(owner=make_user("owner")))


people_of_module = share_in_module(_make_people)


@pytest.fixture
def people(db, people_of_module, tmp_path):
    """Everybody who may come to a study, by role; see `make_people`."""
    return people_of_module.take(tmp_path)


@pytest.fixture
def study(people, picture):
    """The scored study that `people` have something to do with, with a picture; modules may have another."""
    study = Study.objects.get(name="study")
    list_items(study)[0].image.file.save("picture.png", picture)
    return study
