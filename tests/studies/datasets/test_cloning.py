"""Tests of clones and pilots: the same tasks with a new name and a separate design."""

from random import Random

import pytest

from studies.access.audit import Actor
from studies.collection.lifecycle import open_study
from studies.datasets.cloning import apply_setting, clone_study, read_setting
from studies.design.study_design import Pay, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import Interface, StudyState, TaskKind, TaskRole
from studies.models import AuditEntry, Candidate, Item, Judgment, Rater, Study, Task
from studies.shared.errors import ImportFailed
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_user

pytestmark = pytest.mark.django_db


def _clone(study, *, name="other", **extra):
    owner = make_user("cloner")
    actor = Actor(owner, Interface.PAGE)
    return clone_study(study, name=name, title="Other", now=NOW, actor=actor, owner=owner, **extra)


def _list_items(study):
    return list(
        Item.objects.filter(task__study=study)
        .order_by("task__position", "position")
        .values_list(
            "task__role", "position", "key", "image", "candidate", "other_candidate", "caption_set", "expected"
        )
    )


@pytest.mark.parametrize("kind", list(TaskKind))
def test_clone_judges_the_same_and_knows_no_rater(kind) -> None:
    study = make_open_study(kind=kind, n_tasks=3)
    make_judgment(Item.objects.first(), make_rater(study))
    n_candidates = Candidate.objects.count()

    clone = _clone(study)

    assert (clone.state, clone.started_at, clone.kind, clone.dataset) == (StudyState.DRAFT, None, kind, study.dataset)
    assert (clone.owner.username, clone.pilot_of, clone.join_token != study.join_token) == ("cloner", None, True)
    assert _list_items(clone) == _list_items(study)
    assert Candidate.objects.count() == n_candidates
    assert (Rater.objects.filter(study=clone).count(), Judgment.objects.filter(item__task__study=clone).count()) == (
        0,
        0,
    )
    assert load_newest_version(clone).design == load_newest_version(study).design
    assert AuditEntry.objects.filter(study=clone).values_list("action", "details").get() == (
        "cloned",
        {"from": "study", "is_pilot": False},
    )
    open_study(clone, now=NOW)


def test_pilot_has_some_main_tasks_and_all_others() -> None:
    study = make_designed_study(n_tasks=6)
    Task.objects.filter(study=study, position=0).update(role=TaskRole.TRAINING)
    Item.objects.filter(task__position=0).update(expected=[3])

    pilot = _clone(study, n_tasks=2, rng=Random(1))

    roles = list(Task.objects.filter(study=pilot).order_by("position").values_list("position", "role"))
    assert roles == [(0, "training"), (1, "main"), (2, "main")]
    assert all(item in _list_items(study) for item in _list_items(pilot))
    assert (pilot.pilot_of, list(study.pilots.all())) == (study, [pilot])
    assert _list_items(_clone_again(study)) == _list_items(pilot)


def _clone_again(study):
    actor = Actor(None, Interface.COMMAND)
    return clone_study(
        study, name="again", title="", now=NOW, actor=actor, owner=None, n_tasks=2, rng=Random(1)
    )  # fmt: skip


def test_pilot_larger_than_the_study_is_refused() -> None:
    with pytest.raises(ValueError, match="must be at most the number of main tasks, 2, got 3"):
        _clone(make_designed_study(), n_tasks=3, rng=Random(1))


def test_changed_setting_is_a_second_version() -> None:
    study = make_designed_study(pay=Pay(reward=1.0, hourly_wage=12.0))
    design = StudyDesign.from_json(load_newest_version(study).design)

    clone = _clone(study, changes=apply_setting(design, read_setting("pay.reward", "2.5")))

    assert [version.number for version in clone.versions.all()] == [1, 2]
    assert StudyDesign.from_json(load_newest_version(clone).design).pay == Pay(reward=2.5, hourly_wage=12.0)
    assert load_newest_version(study).number == 2


@pytest.mark.parametrize(
    ("field", "text", "setting"),
    [
        ("question", "How good is it?", {"question": "How good is it?"}),
        ("question", '"Quoted"', {"question": "Quoted"}),
        ("raters_per_task", "5", {"raters_per_task": 5}),
        ("may_correct", "false", {"may_correct": False}),
        ("pay.currency", "GBP", {"pay": {"currency": "GBP"}}),
        ("checks.every", "4", {"checks": {"every": 4}}),
        ("scale", "['Bad', 'Good']", {"scale": [{"value": 1.0, "label": "Bad"}, {"value": 2.0, "label": "Good"}]}),
    ],
)
def test_setting_is_written_as_in_a_design_file(field, text, setting) -> None:
    assert read_setting(field, text) == setting


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("raters_per_task", "many", "field raters_per_task: must be a whole number, got 'many'"),
        ("nothing", "1", "field nothing: is not a field"),
        ("pay.nothing", "1", r"field pay\.nothing: is not a field"),
    ],
)
def test_setting_of_another_type_is_refused(field, text, message) -> None:
    with pytest.raises(ImportFailed, match=message):
        read_setting(field, text)


def test_taken_name_makes_nothing() -> None:
    study = make_designed_study()

    with pytest.raises(ImportFailed, match="must not be the name of an existing study"):
        _clone(study, name="study")

    assert Study.objects.count() == 1
