"""Tests of changes of a design: versions, their differences, and fields that cannot be changed."""

from dataclasses import replace

import pytest

from studies.access.audit import Actor
from studies.collection.lifecycle import close_study, open_study
from studies.design.changes import (
    CannotChangeDesign,
    change_design,
    list_frozen_fields,
)
from studies.design.design_history import Change, compare_designs, list_design_steps
from studies.design.study_design import ExclusionRules, Panel, Pay, Qualification, ScalePoint, Slider, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import Interface, PanelKind, RaterOutcome, TaskKind
from studies.models import AuditEntry, Study, StudyVersion
from studies.shared.errors import ImportFailed
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_rater, make_user

pytestmark = pytest.mark.django_db


def _change(study, **changes):
    user = make_user("researcher") if not study.owner else study.owner
    return change_design(study, changes=changes, now=NOW, actor=Actor(user, Interface.PAGE), user=user)


def _refuse(study, **changes):
    with pytest.raises(CannotChangeDesign) as caught:
        change_design(study, changes=changes, now=NOW, actor=Actor(None, Interface.PAGE))
    return caught.value.field, str(caught.value)


def test_change_makes_a_version_and_keeps_the_one_before() -> None:
    study = make_designed_study()
    before = StudyDesign.from_json(load_newest_version(study).design)

    made = _change(study, question="How good?", pay={"reward": 2.5})

    assert (made.number, made.created_by.username) == (3, "researcher")
    assert StudyDesign.from_json(made.design) == replace(before, question="How good?", pay=Pay(reward=2.5))
    assert StudyDesign.from_json(StudyVersion.objects.get(number=2).design) == before
    assert AuditEntry.objects.values_list("action", "details").get() == (
        "designed",
        {"was": 2, "is": 3, "fields": ["pay.reward", "question"]},
    )


def test_nothing_changed_makes_no_version() -> None:
    study = make_designed_study()

    assert _change(study, question=load_newest_version(study).design["question"]) is None
    assert (StudyVersion.objects.count(), AuditEntry.objects.count()) == (2, 0)


def test_senseless_value_is_named_and_leaves_nothing() -> None:
    with pytest.raises(ImportFailed, match=r"the design, field pay.reward: must be 0 or more, got -1"):
        _change(make_designed_study(), pay={"reward": -1})

    assert StudyVersion.objects.count() == 2


def test_designs_are_compared_field_by_field() -> None:
    before = StudyDesign(scale=(ScalePoint(1, "Bad"), ScalePoint(2, "Good")), qualification=Qualification())
    after = replace(
        before,
        scale=(ScalePoint(1, "Bad"), ScalePoint(2.5, "Good")),
        qualification=None,
        may_correct=False,
        slider=Slider("low", "high"),
        exclusion_rules=ExclusionRules(failed_checks=2),
        panel=Panel(codes={RaterOutcome.FINISHED: "C1"}),
    )

    assert compare_designs(before, before) == ()
    assert compare_designs(before, after) == (
        Change("scale", "1 Bad\n2 Good", "1 Bad\n2.5 Good"),
        Change("may_correct", "yes", "no"),
        Change("qualification.pass_share", "0.8", ""),
        Change("qualification.attempts", "2", ""),
        Change("exclusion_rules.failed_checks", "", "2"),
        Change("slider.low_label", "", "low"),
        Change("slider.high_label", "", "high"),
        Change("slider.low", "", "0"),
        Change("slider.high", "", "100"),
        Change("slider.step", "", "1"),
        Change("panel.codes.finished", "", "(set, not shown)"),
    )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"question": "Another?"}, "question"),
        ({"scale": [{"value": 1, "label": "No"}, {"value": 2, "label": "Yes"}]}, "scale"),
        ({"scale": [], "slider": {"low_label": "a", "high_label": "b"}}, "scale"),
        ({"slider": {"low_label": "a", "high_label": "b"}}, "slider"),
        ({"allows_no_preference": True}, "allows_no_preference"),
        ({"language": "de"}, "language"),
        ({"raters_per_task": 5}, "raters_per_task"),
        ({"panel": {"kind": "prolific"}}, "panel.kind"),
        ({"consent": ""}, ""),
        ({"qualification": {"attempts": 2}}, ""),
        ({"checks": {"every": 3}}, ""),
    ],
)
def test_open_study_keeps_what_judgments_rest_on(changes, field) -> None:
    study = make_open_study()
    make_rater(study)

    assert _refuse(study, **changes)[0] == field
    assert StudyVersion.objects.count() == 2


def test_words_and_pay_of_an_open_study_can_change() -> None:
    study = make_open_study()

    made = _change(
        study,
        instructions="Read more slowly.",
        pay={"reward": 3.0},
        panel={"kind": PanelKind.IN_HOUSE},
        retention_days=90,
    )

    assert made.number == 3


def test_closed_study_may_get_more_raters_and_never_fewer() -> None:
    study = make_open_study(raters_per_task=2)
    close_study(study, now=NOW)

    assert _refuse(study, raters_per_task=1) == (
        "raters_per_task",
        "Each task already has 2 slots; the number cannot be reduced.",
    )
    _change(study, raters_per_task=3)
    open_study(Study.objects.get(), now=NOW)
    assert study.slots.count() == 6


def test_what_is_frozen_is_told_beforehand() -> None:
    draft, opened = make_designed_study("draft"), make_open_study("opened", kind=TaskKind.PAIRWISE)
    make_rater(draft, "one")

    assert list_frozen_fields(draft) == {}
    assert sorted(list_frozen_fields(opened)) == [
        "allows_no_preference", "language", "question", "raters_per_task", "scale", "slider",
    ]  # fmt: skip


def test_history_tells_what_each_version_changed() -> None:
    study = make_designed_study()
    _change(study, thanks="Thanks a lot.")

    steps = list_design_steps(study)

    assert [step.version.number for step in steps] == [3, 2, 1]
    assert steps[0].changes == (
        Change("thanks", "Your answers help to find out which captions people prefer.", "Thanks a lot."),
    )
    assert steps[2].changes == ()
