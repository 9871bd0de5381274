"""Tests of preregistrations: what is frozen, until when, and deviations found afterwards."""

import hashlib
import json
from dataclasses import replace
from random import Random

import pytest

from studies.access.audit import Actor
from studies.analysis.preregistration.deviations import list_study_deviations
from studies.collection.arrival.raters import join_study
from studies.collection.assignment import lease_task
from studies.collection.lifecycle import open_study
from studies.design.changes import change_design
from studies.design.preregistration.declaration import (
    Analysis,
    AnalysisPlan,
    CannotPreregister,
    digest_items,
    list_deviations,
    preregister_study,
)
from studies.design.preregistration.deviations import Confirmation, Deviation
from studies.design.study_design import ExclusionRules
from studies.design.versions import load_newest_version
from studies.enums import Interface, TaskKind
from studies.models import AuditEntry, Candidate, Judgment, Preregistration, Run
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from studies.scoring.metric_choices import switch_metric
from studies.scoring.study_scoring import score_study
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_user
from tests.studies.scored import METRICS, make_scored_study

pytestmark = pytest.mark.django_db
PLAN = AnalysisPlan(
    protocol="flickr8k-expert@1",
    coefficient="kendall-c",
    metrics=("length", "rouge-l"),
    test="perm-both",
    alpha=0.05,
    correction="holm",
    stopping_rule="When every task has two raters.",
)


def _register(study, plan=PLAN):
    user = make_user("researcher") if not AuditEntry.objects.exists() else None
    return preregister_study(study, plan=plan, now=NOW, actor=Actor(user, Interface.PAGE), user=user)


def make_scored_before_judged():
    """Make a study whose captions have scores and no judgments yet."""
    study = make_scored_study()
    Judgment.objects.all().delete()
    return study


def _join(study):
    return join_study(study, version=load_newest_version(study), now=NOW, rng=Random(study.raters.count()))


def _change(study, **changes):
    actor, confirmed = Actor(None, Interface.PAGE), Confirmation(is_given=True)
    change_design(study, changes=changes, now=NOW, actor=actor, confirmation=confirmed)


def test_preregistration_is_canonical_and_carries_its_digest() -> None:
    study = make_designed_study(exclusion_rules=ExclusionRules(failed_checks=1))

    made = _register(study)

    content = json.loads(made.content)
    assert made.digest == hashlib.sha256(made.content.encode()).hexdigest()
    assert made.content == json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert sorted(content) == [
        "design", "design_version", "items_digest", "kind", "n_items", "n_tasks", "plan", "study",
    ]  # fmt: skip
    assert (content["design_version"], content["n_tasks"], content["n_items"]) == (2, 2, 2)
    assert content["design"]["exclusion_rules"]["failed_checks"] == 1
    assert content["plan"] == {
        "protocol": "flickr8k-expert@1",
        "coefficient": "kendall-c",
        "metrics": ["length", "rouge-l"],
        "test": "perm-both",
        "alpha": 0.05,
        "correction": "holm",
        "stopping_rule": "When every task has two raters.",
    }
    assert (made.number, made.frozen_at, made.frozen_by.username) == (1, NOW, "researcher")
    assert AuditEntry.objects.values_list("action", "details").get() == (
        "preregistered",
        {"number": 1, "digest": made.digest},
    )


@pytest.mark.parametrize("kind", list(TaskKind))
def test_digest_of_items_follows_what_is_judged(kind) -> None:
    study = make_designed_study(kind=kind)
    before = digest_items(study)

    make_designed_study("twin", kind=kind)
    assert digest_items(study) == before
    study.tasks.first().items.update(expected=[1])
    changed = digest_items(study)
    assert changed != before
    if kind != TaskKind.CAPTION:
        Candidate.objects.filter(dataset=study.dataset).update(text="Another.")
        assert digest_items(study) != changed


def test_study_that_has_begun_cannot_be_registered() -> None:
    study = make_designed_study()
    open_study(study, now=NOW)
    _register(study)
    lease_task(_join(study), now=NOW)

    with pytest.raises(CannotPreregister, match="study study has judgments or has started"):
        _register(study)
    assert Preregistration.objects.count() == 1


def test_study_whose_judgments_came_with_the_data_cannot_be_registered() -> None:
    study = make_scored_study(score=False)

    with pytest.raises(CannotPreregister, match="study study has judgments or has started"):
        _register(study)
    assert Preregistration.objects.count() == 0


def test_nothing_registered_and_nothing_changed_are_no_deviations() -> None:
    study = make_designed_study()
    before = list_study_deviations(study)
    _register(study)

    assert (before, list_study_deviations(study)) == ((), ())


def test_changes_of_the_design_are_deviations() -> None:
    study = make_designed_study(exclusion_rules=ExclusionRules(failed_checks=1))
    _register(study)

    _change(study, raters_per_task=3, exclusion_rules={"failed_checks": 2, "agreement": 0.1})

    assert list_study_deviations(study) == (
        Deviation("design raters_per_task", "1", "3"),
        Deviation("exclusion criterion failed_checks", "1", "2"),
        Deviation("exclusion criterion agreement", "", "0.1"),
    )
    assert str(list_study_deviations(study)[2]) == "exclusion criterion agreement: preregistered nothing, now 0.1"


def test_change_taken_back_is_a_deviation_all_the_same() -> None:
    study = make_designed_study()
    _register(study)
    _change(study, raters_per_task=3)
    _change(study, raters_per_task=1)

    assert list_study_deviations(study) == (Deviation("design", "version 2", "version 4, with identical content"),)


def test_new_preregistration_is_what_counts() -> None:
    study = make_designed_study()
    _register(study)
    _change(study, raters_per_task=3)

    assert _register(study).number == 2
    assert list_study_deviations(study) == ()


def test_items_changed_before_the_start_are_a_deviation() -> None:
    study = make_designed_study()
    declared = json.loads(_register(study).content)["items_digest"]

    Candidate.objects.filter(dataset=study.dataset).update(text="Another.")

    assert list_study_deviations(study) == (Deviation("items", declared[:12], digest_items(study)[:12]),)


def test_protocol_and_metrics_that_were_scored_are_compared() -> None:
    study = make_designed_study()
    _register(study)
    study.protocol = "custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson"
    study.save()

    assert list_study_deviations(study) == (Deviation("protocol", PLAN.protocol, study.protocol),)


def test_metrics_with_scores_beyond_the_plan_are_a_deviation() -> None:
    study = make_scored_before_judged()
    plan = replace(PLAN, metrics=("length", "meteor"), protocol=study.protocol)
    _register(study, plan)

    assert list_study_deviations(study) == (
        Deviation("metrics added", "length, meteor", "rouge-l"),
        Deviation("metrics without scores", "meteor", ""),
    )


def test_metrics_that_only_another_study_uses_are_no_deviation() -> None:
    study = make_scored_before_judged()
    Run.objects.all().delete()
    candidate = Candidate.objects.filter(dataset=study.dataset).first()
    Candidate.objects.filter(pk=candidate.pk).update(text=candidate.image.references.get().text)
    score_study(study, now=lambda: NOW, metrics=METRICS)
    _register(study, replace(PLAN, protocol=study.protocol))
    # Without that one reference it is an input of its own: what a sibling would be scored on.
    protocol = "custom@1|rows:all|refs:exclude-candidate-per-row|ratings:mean|level:item|coef:pearson"
    score_study(study, now=lambda: NOW, metrics=("bleu-1",), protocol=protocol)

    assert Run.objects.filter(metric="bleu-1").count() == 1
    assert list_study_deviations(study) == ()


def test_metrics_that_are_switched_off_are_not_used() -> None:
    study = make_scored_before_judged()
    _register(study, replace(PLAN, metrics=("length",), protocol=study.protocol))
    before = list_study_deviations(study)

    switch_metric(study, metric="rouge-l", enabled=False, actor=Actor(None, Interface.PAGE), now=NOW)

    assert before == (Deviation("metrics added", "length", "rouge-l"),)
    assert list_study_deviations(study) == ()


def test_one_analysis_is_held_against_the_plan() -> None:
    study = make_designed_study()
    _register(study)
    as_planned = Analysis("flickr8k-expert@1", ["rouge-l", "length"], "perm-both", 0.05, "holm")
    other = Analysis("flickr8k-expert@1", ["length", "rouge-l", "bleu-4"], "williams", 0.1, "none")

    assert list_deviations(study, analysis=as_planned) == ()
    assert list_deviations(study, analysis=other) == (
        Deviation("test", "perm-both", "williams"),
        Deviation("alpha", "0.05", "0.1"),
        Deviation("correction", "holm", "none"),
        Deviation("metrics added", "length, rouge-l", "bleu-4"),
    )


def test_raters_left_out_by_hand_are_deviations_and_by_rule_are_not() -> None:
    study = make_designed_study()
    _register(study)
    open_study(study, now=NOW)
    first, second, third = (_join(study) for _ in range(3))

    exclude_rater(first, reason="He said so.", now=NOW, confirmation=Confirmation(is_given=True))
    exclude_rater(second, reason="3 of 3 failed", rule="failed_checks", now=NOW)
    exclude_rater(third, reason="A mistake.", now=NOW, confirmation=Confirmation(is_given=True))
    lift_exclusion(third, now=NOW)

    assert list_study_deviations(study) == (Deviation("rater excluded manually", "", f"{first}: He said so."),)
