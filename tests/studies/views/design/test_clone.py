"""Tests of clones and pilots created on a page."""

from html import unescape

import pytest

from studies.design.versions import load_newest_version
from studies.models import Study, Task
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/study/design/clone/"
FACTS = {"name": "second", "title": "Second"}


@pytest.fixture
def study(owner):
    study = make_designed_study(n_tasks=5)
    Study.objects.filter(pk=study.pk).update(owner=owner)
    return study


def test_clone_with_one_setting_changed(researcher, study, owner) -> None:
    response = researcher.post(ADDRESS, {**FACTS, "setting": "raters_per_task", "value": "7"})

    clone = Study.objects.get(name="second")
    assert (response.url, clone.owner, clone.pilot_of) == ("/studies/second/design/", owner, None)
    assert (load_newest_version(clone).number, load_newest_version(clone).design["raters_per_task"]) == (2, 7)
    assert "Created a clone of Study as a draft." in researcher.get(response.url, follow=True).content.decode()


def test_pilot_says_whose_it_is(researcher, study) -> None:
    response = researcher.post(ADDRESS, {**FACTS, "n_tasks": 2})

    page = researcher.get(f"{response.url}launch/").content.decode()
    assert Task.objects.filter(study__name="second").count() == 2
    assert 'Pilot of <a href="/studies/study/design/">Study</a>' in page


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"name": "new"}, "This must not be the name of a page, got 'new'"),
        ({"n_tasks": 6}, "less than or equal to 5"),
        ({"n_tasks": 0}, "greater than or equal to 1"),
        ({"setting": "raters_per_task", "value": "many"}, "This must be a whole number, got 'many'"),
        ({"setting": "raters_per_task", "value": "0"}, "must be 1 or more, got 0"),
        ({"setting": "nothing"}, "Select a valid choice."),
    ],
)
def test_what_cannot_be_cloned_is_said_and_makes_nothing(researcher, study, given, problem) -> None:
    response = researcher.post(ADDRESS, {**FACTS, **given})

    assert response.status_code == 422
    assert problem in unescape(response.content.decode())
    assert Study.objects.count() == 1


def test_form_proposes_a_name(researcher, study) -> None:
    make_study("elsewhere")

    assert 'value="study-2"' in researcher.get(ADDRESS).content.decode()
