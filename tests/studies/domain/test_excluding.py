"""Leaving a rater out of the analysis and taking it back."""

import pytest

from studies.domain.auditing import Actor
from studies.domain.excluding import AlreadyExcluded, exclude_rater, lift_exclusion
from studies.domain.judgments import load_judgments
from studies.domain.protocols import read_protocol
from studies.domain.results import load_results
from studies.enums import Door
from studies.models import Exclusion, Judgment
from tests.factories.studies import NOW, make_user
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def _count(study):
    judgments = load_judgments(study, read_protocol(study.protocol))
    return len(judgments.table.value), judgments.n_excluded


def test_excluded_judgments_stay_and_are_not_analysed():
    study = make_rated_study(score=False, n_items=4)
    rater = study.raters.first()

    exclude_rater(rater, reason="asked the same of everything", now=NOW, actor=Actor(make_user(), Door.PAGE))

    assert _count(study) == (8, 1)
    assert Judgment.objects.count() == 12


def test_lifting_brings_the_judgments_back_and_keeps_the_record():
    study = make_rated_study(score=False, n_items=4)
    rater = study.raters.first()
    exclude_rater(rater, reason="too fast", now=NOW)

    assert lift_exclusion(rater, now=NOW)
    assert not lift_exclusion(rater, now=NOW)

    assert _count(study) == (12, 0)
    assert Exclusion.objects.values_list("reason", "lifted_at").get() == ("too fast", NOW)
    exclude_rater(rater, reason="too fast after all", now=NOW)
    assert Exclusion.objects.count() == 2


def test_number_of_the_excluded_ends_the_signature():
    study = make_rated_study()
    before = load_results(study)
    exclude_rater(study.raters.first(), reason="too fast", now=NOW)

    after = load_results(study)

    assert {row.n for row in before.rows} == {36}
    assert {row.n for row in after.rows} == {24}
    assert all(row.signature.endswith("|excluded-raters:1") for row in after.rows)
    assert not any("excluded" in row.signature for row in before.rows)


def test_second_decision_and_one_without_a_reason_are_refused():
    rater = make_rated_study(score=False, n_items=1).raters.first()
    with pytest.raises(ValueError, match="`reason` must say why"):
        exclude_rater(rater, reason=" ", now=NOW)
    exclude_rater(rater, reason="too fast", now=NOW)

    with pytest.raises(AlreadyExcluded, match="rater-0 is excluded already"):
        exclude_rater(rater, reason="too fast", now=NOW)
