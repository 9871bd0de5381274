from dataclasses import replace
from math import inf, nan

import pytest

from correlation.planning.stopping import LookBound, find_bounds, judge_estimate
from studies.access.audit import COMMAND_LINE
from studies.analysis.correlations import gather_observations
from studies.design.changes import CannotChangeDesign, change_design
from studies.design.study_design import SETTLED_RANKING, StoppingRule, StudyDesign
from studies.enums import AuditAction, StudyState
from studies.models import AuditEntry, Judgment, StoppingLook, Study, StudyVersion
from studies.monitoring.stopping_rules import (
    CannotLook,
    Finding,
    conclude,
    describe_rule,
    describe_state,
    examine,
    load_rule,
    take_look,
)
from tests.factories.studies import NOW, make_study
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db
ALWAYS = LookBound(fraction=1.0, spent=0.05, critical=1.96, level=0.05)


def declare(study, **fields):
    """Put a rule into the newest design; 36 judgments are all of `make_rated_study`."""
    version = StudyVersion.objects.get(study=study)
    rule = StoppingRule(**{"max_judgments": 36, **fields})
    version.design = {**version.design, "stopping_rule": vars_of(rule)}
    version.save()
    return rule


def vars_of(rule):
    return {name: getattr(rule, name) for name in rule.__slots__}


def leave(study, n):
    """Keep the first judgments alone."""
    kept = list(Judgment.objects.filter(rater__study=study).order_by("pk").values_list("pk", flat=True)[:n])
    Judgment.objects.filter(rater__study=study).exclude(pk__in=kept).delete()


def test_design_keeps_its_rule():
    rule = StoppingRule(kind=SETTLED_RANKING, metrics="length, rouge-l, length", looks=3)

    again = StudyDesign.from_json(StudyDesign(stopping_rule=rule).to_json()).stopping_rule

    assert again == rule
    assert rule.metric_ids == ("length", "rouge-l")


def test_study_without_a_rule_has_no_looks():
    study = make_study()

    assert (load_rule(study), describe_state(study, n_judgments=5)) == (None, None)
    with pytest.raises(CannotLook, match="study study has no judgments yet"):
        take_look(study, now=NOW)


def test_rule_is_told_in_words():
    rule = StoppingRule(width=0.15, looks=3)

    assert " wide (Kendall τ-c), at one of " in describe_rule(replace(rule, measure="kendall-c"), n_all=1200)
    assert describe_rule(rule, n_all=1200) == (
        "Stop when the interval of each of all metrics with scores is at most 0.15 wide, at one of 3 looks over "
        "1,200 judgments, at the two-sided level 0.05 spent like obrien-fleming."
    )


@pytest.mark.parametrize(
    ("n_judgments", "number", "is_due"), [(0, 1, False), (8, 1, False), (9, 1, True), (20, 2, True), (36, 4, True)]
)
def test_the_latest_look_that_is_due_comes_next(n_judgments, number, is_due):
    study = make_study()
    declare(study, looks=4)

    state = describe_state(study, n_judgments=n_judgments)

    # A quarter of 36 judgments is 9.
    assert [look.due_at for look in state.looks] == [9, 18, 27, 36]
    assert (state.next.number, state.is_due) == (number, is_due)


def test_all_judgments_are_those_that_the_design_plans():
    study = make_study(n_tasks=5)
    declare(study, max_judgments=0)

    # Five items, one rater for each task.
    assert describe_state(study, n_judgments=0).n_all == 5


def test_look_is_refused_before_it_is_due():
    study = make_rated_study()
    declare(study, looks=2)
    leave(study, 10)

    with pytest.raises(CannotLook, match="look 1 is due at 18 judgments; there are 10"):
        take_look(study, now=NOW)
    assert StoppingLook.objects.count() == 0


def test_look_is_kept_and_cannot_be_taken_again():
    study = make_rated_study()
    declare(study, looks=2, width=0.001)
    leave(study, 20)

    look = take_look(study, now=NOW, resamples=200)

    (bound,) = find_bounds([20 / 36], alpha=0.05, spending="obrien-fleming")
    assert (look.number, look.n_judgments, look.fraction) == (1, 20, 20 / 36)
    assert (look.spent, look.level) == (bound.spent, bound.level)
    assert look.says_stop is False
    assert look.reason == "2 of 2 intervals do not meet the rule: length, rouge-l."
    assert [found["what"] for found in look.findings] == ["length", "rouge-l"]
    assert AuditEntry.objects.get().action == AuditAction.LOOKED
    with pytest.raises(CannotLook, match="look 2 is due at 36 judgments; there are 20"):
        take_look(study, now=NOW)


def test_last_look_says_stop_whatever_it_finds_and_spends_all():
    study = make_rated_study()
    declare(study, looks=2, width=0.001)

    look = take_look(study, now=NOW, resamples=200)

    assert (look.number, look.fraction, look.says_stop) == (2, 1.0, True)
    assert look.spent == pytest.approx(0.05)
    assert look.reason.startswith("All planned judgments have been collected. 2 of 2 intervals do not")
    with pytest.raises(CannotLook, match="the rule was met at look 2, so there are no further looks"):
        take_look(study, now=NOW)


@pytest.mark.parametrize(("closes", "state"), [(True, StudyState.CLOSED), (False, StudyState.OPEN)])
def test_study_is_closed_only_where_the_rule_says_so(closes, state):
    study = make_rated_study()
    declare(study, looks=2, width=2.0, closes_study=closes)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    study.refresh_from_db()

    assert take_look(study, now=NOW, resamples=200).says_stop is True

    assert Study.objects.get().state == state


def test_widths_are_those_of_the_interval_at_the_look():
    gathered = gather(make_rated_study())

    ordinary = examine(gathered, StoppingRule(width=2.0), bound=ALWAYS, seed=1, resamples=200)
    early = examine(gathered, StoppingRule(width=2.0), bound=LookBound(0.1, 0.0, inf, 0.0), seed=1, resamples=200)

    assert [(each.what, each.is_settled) for each in ordinary] == [("length", True), ("rouge-l", True)]
    assert ordinary[0].verdict.width == pytest.approx(2 * 1.96 * ordinary[0].verdict.error)
    # Nothing may be spent yet, so that no interval is narrow.
    assert [each.is_settled for each in early] == [False, False]


def test_ranking_is_settled_where_every_two_metrics_differ():
    gathered = gather(make_rated_study(n_items=24))

    (found,) = examine(gathered, StoppingRule(kind=SETTLED_RANKING), bound=ALWAYS, seed=1, resamples=200)

    # `make_rated_study` makes judgments of the length; `rouge-l` has little to do with it.
    assert (found.what, found.is_settled, found.verdict.low > 0) == ("length \N{MINUS SIGN} rouge-l", True, True)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"metrics": "cider"}, "study rated has no scores of cider"),
        ({"measure": "pearson"}, "the stopping rule uses pearson, but the protocol has kendall-c"),
        ({"kind": SETTLED_RANKING, "metrics": "length"}, "a ranking needs two metrics with scores; there are 1"),
    ],
)
def test_rule_that_does_not_fit_is_told(fields, message):
    study = make_rated_study()
    declare(study, **fields)

    with pytest.raises(CannotLook, match=message):
        take_look(study, now=NOW, resamples=50)
    assert StoppingLook.objects.count() == 0


def test_look_is_refused_under_another_rule():
    study = make_rated_study()
    declare(study, looks=2, width=0.001)
    leave(study, 20)
    take_look(study, now=NOW, resamples=50)
    declare(study, looks=2, width=0.5, max_judgments=20)

    with pytest.raises(CannotLook, match="the stopping rule of study rated was changed after look 1"):
        take_look(study, now=NOW)


def test_look_needs_more_judgments_than_the_one_before():
    study = make_rated_study()
    declare(study, looks=2, width=0.001)
    StoppingLook.objects.create(
        study=study, number=1, rule=vars_of(load_rule(study)), n_judgments=36, fraction=0.9, spent=0.01, level=0.01,
        findings=[], says_stop=False, reason="", taken_at=NOW,
    )  # fmt: skip

    with pytest.raises(CannotLook, match="there are no new judgments since look 1"):
        take_look(study, now=NOW)


def test_rule_cannot_be_changed_after_a_look():
    study = make_rated_study()
    rule = declare(study, looks=2, width=0.001)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    leave(study, 20)
    take_look(study, now=NOW, resamples=50)

    with pytest.raises(CannotChangeDesign, match="Cannot be changed after an interim look"):
        change_design(study, changes={"stopping_rule": {**vars_of(rule), "width": 1.0}}, now=NOW, actor=COMMAND_LINE)


def test_unknown_estimate_is_not_settled():
    finding = Finding("length", judge_estimate(nan, error=nan, bound=ALWAYS), is_settled=False)

    assert conclude([finding], StoppingRule(), is_last=False) == (
        False,
        "1 of 1 intervals do not meet the rule: length.",
    )
    assert finding.to_json() == {
        "what": "length", "is_settled": False, "estimate": None, "error": None, "low": None, "high": None,
    }  # fmt: skip


def gather(study):
    return gather_observations(study)
