"""Who gets which answer from which page, for every page that there is."""

import pytest
from django.urls import reverse

from studies.enums import StudyState
from studies.models import Study
from studies.urls import urlpatterns
from tests.factories.studies import make_user
from tests.studies.people import make_people
from tests.studies.scored import list_items, make_scored_study

LOOK = {"owner": 200, "editor": 200, "viewer": 200, "superuser": 200, "stranger": 404}
CHANGE = {"owner": 302, "editor": 302, "viewer": 403, "superuser": 302, "stranger": 404}
ANYONE = dict.fromkeys(LOOK, 200)

PAGES = {
    "list": ("get", {}, "", ANYONE),
    "metrics": ("get", {}, "", ANYONE),
    "study": ("get", {"name": "study"}, "", LOOK),
    "open": ("post", {"name": "study"}, "", CHANGE),
    "close": ("post", {"name": "study"}, "", CHANGE),
    "judgments": ("get", {"name": "study"}, "", LOOK),
    "results": ("get", {"name": "study", "file_format": "csv"}, "", LOOK),
    "scatter": ("get", {"name": "study", "file_format": "csv"}, "?metric=length", LOOK),
    "thumbnail": ("get", {"name": "study", "pk": "IMAGE"}, "", LOOK),
}


@pytest.fixture
def study(picture):
    study = make_scored_study(owner=make_user("owner"))
    image = list_items(study)[0].image
    image.file.save("picture.png", picture)
    return study


def _ask(client, address, study):
    method, arguments, query, _ = PAGES[address]
    arguments = {**arguments, **({"pk": list_items(study)[0].image_id} if "pk" in arguments else {})}
    return getattr(client, method)(reverse(f"studies:{address}", kwargs=arguments) + query)


def test_every_page_is_in_the_table():
    assert {pattern.name for pattern in urlpatterns} == set(PAGES)


@pytest.mark.django_db
@pytest.mark.parametrize("role", LOOK)
@pytest.mark.parametrize("address", PAGES)
def test_page_for_a_person(client, study, address, role):
    client.force_login(make_people(study)[role])

    response = _ask(client, address, study)

    assert response.status_code == PAGES[address][3][role]


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_page_sends_nobody_to_log_in(client, study, address):
    response = _ask(client, address, study)

    assert response.status_code == 302
    assert response.url.startswith("/login/?next=/")


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_page_for_the_dismissed(client, study, address):
    people = make_people(study)
    client.force_login(people["dismissed"])

    assert _ask(client, address, study).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["viewer", "stranger"])
@pytest.mark.parametrize(("address", "state"), [("open", StudyState.DRAFT), ("close", StudyState.OPEN)])
def test_refused_change_changes_nothing(client, study, address, state, role):
    people = make_people(study)
    Study.objects.filter(pk=study.pk).update(state=state, started_at=study.created_at)
    client.force_login(people[role])

    _ask(client, address, study)

    assert Study.objects.get(pk=study.pk).state == state


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["open", "close"])
def test_change_needs_a_post(client, study, address):
    client.force_login(study.owner)

    assert client.get(reverse(f"studies:{address}", args=["study"])).status_code == 405
