"""Tests of the records of raters, the rules they violate, and the consequences."""

from dataclasses import asdict, replace
from datetime import timedelta
from math import isnan, nan

import pytest

from correlation.agreement.rater_quality import RaterQuality
from studies.design.study_design import ExclusionRules, StudyDesign
from studies.enums import PERTURBED, TaskKind, TaskRole
from studies.models import Exclusion, Item, StudyVersion, Task
from studies.monitoring.quality import apply_rules, find_broken_rules, may_reject, report_quality
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.scored import list_items
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db
USUAL = RaterQuality(
    rater="ann", n=40, median_seconds=9.0, pace=1.0, same_share=0.4, longest_run=3, agreement=0.6, n_compared=40
)


def _add_check(study, *, role, expected=None, category=""):
    image = study.dataset.images.first()
    task = Task.objects.create(study=study, position=Task.objects.filter(study=study).count(), role=role)
    return Item.objects.create(
        task=task,
        position=0,
        key=f"check-{task.position}",
        category=category,
        image=image,
        candidate=study.dataset.candidates.first(),
        expected=expected,
    )


def test_record_of_a_rater_has_work_and_checks():
    study = make_designed_study(n_tasks=3)
    gold = _add_check(study, role=TaskRole.GOLD, expected=[1.0])
    attention = _add_check(study, role=TaskRole.ATTENTION, expected=[4.0])
    ann, bob = make_rater(study, "ann"), make_rater(study, "bob")
    for item, value in zip(list_items(study)[:3], (1.0, 2.0, 3.0), strict=True):
        make_judgment(item, ann, value, elapsed_ms=4000)
        make_judgment(item, bob, value, elapsed_ms=8000)
    make_judgment(gold, ann, 1.0)
    make_judgment(gold, bob, 2.0)
    make_judgment(attention, bob, 1.0)

    first, second = report_quality(study).raters

    assert (first.rater, first.n_checks, first.n_failed, first.n_attention_failed) == ("ann", 1, 0, 0)
    assert (second.rater, second.n_checks, second.n_failed, second.n_attention_failed) == ("bob", 2, 2, 1)
    assert (first.work.n, first.work.median_seconds, first.work.agreement) == (3, 4.0, pytest.approx(1.0))
    assert isnan(first.first_share)


def test_check_is_passed_within_its_bounds():
    study = make_designed_study(n_tasks=1)
    gold = _add_check(study, role=TaskRole.GOLD, expected=[[1.0, 2.0], 4.0])
    for name, value in (("a", 1.5), ("b", 3.0), ("c", 4.0)):
        make_judgment(gold, make_rater(study, name), value)

    records = report_quality(study).raters

    assert [(record.rater, record.n_checks, record.n_failed) for record in records] == [
        ("a", 1, 0),
        ("b", 1, 1),
        ("c", 1, 0),
    ]


def test_side_that_a_rater_prefers_is_told_of_pairs():
    study = make_open_study(kind=TaskKind.PAIRWISE, n_tasks=4)
    rater = make_rater(study)
    work(rater, n_tasks=4)
    choices = ("first", "first", "first", "none")
    for judgment, choice in zip(rater.judgments.all(), choices, strict=True):
        judgment.answer = {"choice": choice}
        judgment.save()

    (record,) = report_quality(study).raters

    assert record.first_share == 1.0


def test_ruined_captions_are_told_apart_or_not():
    study = make_designed_study(n_tasks=6)
    ruined = [_add_check(study, role=TaskRole.GOLD, category=PERTURBED) for _ in range(6)]
    attentive, careless = make_rater(study, "attentive"), make_rater(study, "careless")
    for item in [*list_items(study)[:6], *ruined]:
        make_judgment(item, attentive, 1.0 if item in ruined else 4.0)
        make_judgment(item, careless, 3.0)

    first, second = report_quality(study).raters

    # One of the 924 ways to choose six ranks of twelve is as extreme as this one.
    assert first.perturbed_p == pytest.approx(1 / 924)
    assert second.perturbed_p == 1.0
    assert (first.n_checks, first.n_failed) == (0, 0)


@pytest.mark.parametrize(
    ("rules", "changed", "broken"),
    [
        ({"fastest_share": 0.4}, {"pace": 0.3}, "takes 0.30 of the usual time, at least 0.4"),
        ({"same_answer_share": 0.8}, {"same_share": 0.9}, "same answer on 0.90 of 40 items"),
        ({"agreement": 0.2}, {"agreement": 0.1}, "agreement with the others 0.10, at least 0.2"),
    ],
)
def test_rule_of_work_is_broken_beyond_its_bound(rules, changed, broken):
    found = find_broken_rules(ExclusionRules(**rules), work=replace(USUAL, **changed), n_failed=0, p=nan)

    assert found == {next(iter(rules)): broken}
    assert find_broken_rules(ExclusionRules(**rules), work=USUAL, n_failed=0, p=nan) == {}
    unknown = replace(USUAL, **dict.fromkeys(changed, nan))
    assert find_broken_rules(ExclusionRules(**rules), work=unknown, n_failed=0, p=nan) == {}


def test_rules_of_checks_hold_also_without_work():
    rules = ExclusionRules(failed_checks=1, perturbed_p=0.05)

    assert find_broken_rules(rules, work=None, n_failed=1, p=0.05) == {}
    assert find_broken_rules(rules, work=None, n_failed=2, p=0.5) == {
        "failed_checks": "2 failed checks; 1 are allowed",
        "perturbed_p": "does not rate perturbed captions lower: p = 0.500; the limit is 0.05",
    }


def test_sameness_is_not_held_against_a_short_part():
    short = replace(USUAL, n=19, same_share=1.0)

    assert find_broken_rules(ExclusionRules(same_answer_share=0.8), work=short, n_failed=0, p=nan) == {}


def test_without_rules_no_rater_breaks_one():
    worst = replace(USUAL, pace=0.0, same_share=1.0, agreement=-1.0)

    assert find_broken_rules(ExclusionRules(), work=worst, n_failed=9, p=1.0) == {}


@pytest.mark.parametrize(
    ("design", "n_failed", "expected"),
    [
        ({"task_seconds": 10, "tasks_per_rater": 20}, 1, True),
        ({"task_seconds": 10, "tasks_per_rater": 30}, 1, False),
        ({"task_seconds": 10, "tasks_per_rater": 30}, 2, True),
        ({"task_seconds": 10, "tasks_per_rater": 90, "tasks_per_session": 9}, 1, True),
        ({}, 1, False),
        ({"task_seconds": 10, "tasks_per_rater": 20}, 0, False),
    ],
)
def test_one_failed_check_decides_in_a_short_study_only(design, n_failed, expected):
    assert may_reject(StudyDesign(**design), n_attention_failed=n_failed) is expected


def test_rules_are_applied_once_and_by_hand_decisions_stay():
    study = make_designed_study(n_tasks=1, exclusion_rules=ExclusionRules(failed_checks=0))
    gold = _add_check(study, role=TaskRole.GOLD, expected=[1.0])
    for name in ("ann", "bob", "eve"):
        make_judgment(gold, make_rater(study, name), 1.0 if name == "ann" else 2.0)
    Exclusion.objects.create(rater=study.raters.get(pseudonym="eve"), reason="told us so", decided_at=NOW)

    (decision,) = apply_rules(study, now=NOW)

    assert (decision.rater.pseudonym, decision.rule, decision.decided_by) == ("bob", "failed_checks", None)
    assert decision.reason == "1 failed checks; 0 are allowed"
    assert apply_rules(study, now=NOW) == []
    assert [record.excluded for record in report_quality(study).raters] == [
        "",
        "1 failed checks; 0 are allowed",
        "told us so",
    ]


def test_rules_changed_after_the_start_are_said_to_be():
    study = make_open_study(exclusion_rules=ExclusionRules(failed_checks=1))
    assert report_quality(study).rules_changed_at is None
    design = StudyDesign.from_json(study.versions.latest("number").design)
    late = NOW + timedelta(hours=3)

    for number, changed in (
        (3, replace(design, thanks="Bye.")),
        (4, replace(design, exclusion_rules=ExclusionRules())),
    ):
        assert report_quality(study).rules_changed_at is None
        StudyVersion.objects.create(study=study, number=number, design=changed.to_json(), created_at=late)

    assert report_quality(study).rules_changed_at == late
    assert asdict(report_quality(study).rules) == dict.fromkeys(asdict(ExclusionRules()))
