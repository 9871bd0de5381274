"""Tests that study and rater of a visit are found in one query."""

import pytest

from studies.collection.arrival.raters import give_consent
from studies.collection.arrival.visits import FoundVisit, find_visit
from studies.models import StudyVersion
from tests.factories.studies import NOW, make_design, make_rater, make_study

pytestmark = pytest.mark.django_db


def test_visit_is_found_with_the_newest_version(django_assert_num_queries) -> None:
    study = make_study()
    rater = make_rater(study)
    make_rater(make_study("other"), "elsewhere")
    design = make_design(question="Newer?").to_json()
    newest = StudyVersion.objects.create(study=study, number=9, design=design, created_at=NOW)
    give_consent(rater, version=study.versions.earliest("number"), now=NOW)

    with django_assert_num_queries(1):
        found = find_visit(study.join_token, pseudonym=rater.pseudonym)

    assert found == FoundVisit(study, newest, rater, has_agreed=False)
    assert found.version.design["question"] == "Newer?"
    assert found.version.study is found.rater.study is found.study
    give_consent(rater, version=newest, now=NOW)
    assert find_visit(study.join_token, pseudonym=rater.pseudonym).has_agreed
    assert find_visit(study.join_token, pseudonym="elsewhere") == FoundVisit(study, newest, None, has_agreed=False)


def test_study_without_a_version_and_no_study() -> None:
    study = make_study()
    study.versions.all().delete()

    assert find_visit(study.join_token) == FoundVisit(study, None, None, has_agreed=False)
    assert [find_visit(token) for token in ("", "unknown", "\0")] == [None] * 3
