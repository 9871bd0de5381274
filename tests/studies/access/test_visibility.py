import pytest

from studies.access.visibility import visible_studies
from studies.models import Study
from studies.rules import VIEW_STUDY
from tests.factories.studies import make_study, make_user
from tests.studies.people import PEOPLE, make_people

VISIBLE = {
    "owner": ["mine"],
    "editor": ["mine"],
    "analyst": ["mine"],
    "viewer": ["elsewhere", "mine"],
    "colleague": ["elsewhere"],
    "stranger": ["elsewhere"],
    "superuser": ["elsewhere", "imported", "mine"],
}


@pytest.mark.django_db
@pytest.mark.parametrize("role", PEOPLE)
def test_visible_studies(role):
    person = make_people(make_study("mine", owner=make_user("owner")))[role]
    make_study("imported", owner=None)

    names = [study.name for study in visible_studies(person)]

    assert names == VISIBLE.get(role, [])
    assert names == [study.name for study in Study.objects.all() if person.has_perm(VIEW_STUDY, study)]


@pytest.mark.django_db
def test_visible_studies_takes_one_query_and_names_a_study_once(django_assert_num_queries):
    owner = make_user("owner")
    make_people(make_study("mine", owner=owner))
    make_study("second", owner=owner)

    with django_assert_num_queries(1):
        names = [study.name for study in visible_studies(owner)]

    assert names == ["mine", "second"]
