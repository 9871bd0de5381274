"""Tests of the page that adds checks with perturbed captions."""

import pytest

from studies.enums import TaskKind
from studies.models import AuditEntry, Item, Study
from tests.studies.design.test_perturbed_checks import _make_draft
from tests.studies.preregistered import make_preregistration

pytestmark = pytest.mark.django_db
PAGE = "/studies/study/design/checks/perturbed/"
STEP = "/studies/study/design/checks/"
GIVEN = {"number": "6", "distortions": ["rc", "wp", "rw"]}


@pytest.fixture
def study(owner) -> Study:
    study = _make_draft()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    return study


def _count() -> int:
    return Item.objects.filter(category="perturbed").count()


def test_checks_are_added_and_recorded(researcher, study) -> None:
    assert PAGE in researcher.get(STEP).content.decode()
    assert researcher.get(PAGE).status_code == 200

    done = researcher.post(PAGE, GIVEN, follow=True)

    assert done.redirect_chain == [(STEP, 302)]
    assert "Added 6 checks with perturbed captions." in done.content.decode()
    assert "Raters see no checks yet" in done.content.decode()
    assert _count() == 6
    entry = AuditEntry.objects.get(action="checks_added")
    assert (entry.interface, entry.actor_name) == ("page", "owner")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"number": "0"}, "greater than or equal to 1"),
        ({"number": "500"}, "can be perturbed this way"),
        ({"distortions": []}, "This field is required."),
        ({"distortions": ["x"]}, "is not one of the available choices"),
    ],
)
def test_what_cannot_be_added_is_said_and_adds_nothing(researcher, study, given: dict, problem: str) -> None:
    refused = researcher.post(PAGE, {**GIVEN, **given})

    assert (refused.status_code, _count()) == (422, 0)
    assert problem in refused.content.decode()


def test_preregistered_study_asks_for_the_confirmation(researcher, study) -> None:
    make_preregistration(study)

    asked = researcher.post(PAGE, GIVEN)
    n_before = _count()
    researcher.post(PAGE, {**GIVEN, "confirm_deviation": "on"})

    assert (asked.status_code, n_before, _count()) == (422, 0, 6)
    assert "deviates from preregistration" in asked.content.decode()


def test_only_ratings_have_the_link(researcher, study) -> None:
    Study.objects.filter(pk=study.pk).update(kind=TaskKind.SET_RATING)

    assert PAGE not in researcher.get(STEP).content.decode()
