from datetime import timedelta

import pytest

from studies.collection.lifecycle import CannotChangeState, close_study, open_study
from studies.design.study_design import Checks, Panel, Qualification, Slider
from studies.enums import PanelKind, StudyState, TaskKind, TaskRole
from studies.models import Candidate, Image, Item, Slot, Study, StudyVersion
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_design, make_study

LATER = NOW + timedelta(days=1)


def _design(study, **extra):
    StudyVersion.objects.filter(study=study).update(design=make_design(**extra).to_json())


@pytest.mark.django_db
def test_open_study_makes_a_slot_for_each_rater_of_each_task():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=2)
    _design(study, raters_per_task=3)

    open_study(study, now=NOW)

    study.refresh_from_db()
    assert (study.state, study.started_at) == (StudyState.OPEN, NOW)
    slots = list(Slot.objects.values_list("task__position", "number"))
    assert slots == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]


@pytest.mark.django_db
def test_open_study_again_keeps_slots_and_start():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=1)
    open_study(study, now=NOW)
    slots = set(Slot.objects.values_list("pk", flat=True))
    close_study(study, now=NOW)

    open_study(study, now=LATER)

    study.refresh_from_db()
    assert (study.state, study.started_at) == (StudyState.OPEN, NOW)
    assert set(Slot.objects.values_list("pk", flat=True)) == slots


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "n_tasks", "design", "missing"),
    [
        (TaskKind.PAIRWISE, 0, {}, "no task$"),
        (TaskKind.PAIRWISE, 1, {"question": ""}, "no question$"),
        (TaskKind.PAIRWISE, 1, {"question": "", "consent": ""}, "no question, no consent text$"),
        (TaskKind.RATING, 1, {"scale": ()}, "no scale of two points or more$"),
        (
            TaskKind.PAIRWISE,
            1,
            {"panel": Panel(PanelKind.PROLIFIC), "retention_days": 9},
            "no completion code for raters who finished$",
        ),
        (
            TaskKind.PAIRWISE,
            1,
            {"panel": Panel(PanelKind.GENERIC), "retention_days": 9},
            "no completion code for raters who finished$",
        ),
        (TaskKind.PAIRWISE, 1, {"panel": Panel(PanelKind.IN_HOUSE)}, r"no number of days until .* \(retention_days\)$"),
    ],
)
def test_open_study_says_what_is_missing(kind, n_tasks, design, missing):
    study = make_study(kind=kind, n_tasks=n_tasks)
    _design(study, **design)

    with pytest.raises(CannotChangeState, match=f"study study cannot be opened: it has {missing}"):
        open_study(study, now=NOW)

    study.refresh_from_db()
    assert (study.state, Slot.objects.count()) == (StudyState.DRAFT, 0)


@pytest.mark.django_db
def test_open_study_wants_something_to_judge_in_every_task():
    study = make_study(kind=TaskKind.SET_RATING, n_tasks=3)
    Item.objects.filter(task__position=0).delete()
    Candidate.objects.filter(image__key="image-1").delete()

    with pytest.raises(CannotChangeState, match=r"no caption set with captions in every item, no item in every task$"):
        open_study(study, now=NOW)


@pytest.mark.django_db
def test_open_study_twice_is_refused():
    study = make_study()
    open_study(study, now=NOW)

    with pytest.raises(CannotChangeState, match="study study is already open"):
        open_study(study, now=LATER)


@pytest.mark.django_db
def test_close_study():
    study = make_study()
    open_study(study, now=NOW)

    close_study(study, now=NOW)

    study.refresh_from_db()
    assert study.state == StudyState.CLOSED


@pytest.mark.django_db
@pytest.mark.parametrize("state", [StudyState.DRAFT, StudyState.CLOSED])
def test_close_study_that_is_not_open_is_refused(state):
    study = make_study(state=state)

    with pytest.raises(CannotChangeState, match=f"study study is not open but {state.value}"):
        close_study(study, now=NOW)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("made", "asked", "missing"),
    [
        (TaskKind.RATING, TaskKind.PAIRWISE, "no two captions in every item$"),
        (TaskKind.PAIRWISE, TaskKind.RATING, "no single caption in every item, no scale of two points or more$"),
        (TaskKind.RATING, TaskKind.SET_RATING, "no caption set with captions in every item$"),
    ],
)
def test_open_study_wants_items_of_its_kind(made, asked, missing):
    study = make_study(kind=made, n_tasks=1)
    Study.objects.filter(pk=study.pk).update(kind=asked)

    with pytest.raises(CannotChangeState, match=missing):
        open_study(study, now=NOW)


@pytest.mark.django_db
def test_open_study_wants_what_its_stages_need():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=2)
    study.tasks.filter(position=0).update(role=TaskRole.ATTENTION)
    _design(study, qualification=Qualification(attempts=1))
    missing = (
        "it has no qualification task, no two attempts or more at the qualification, "
        "no expected values in every item of qualification and checks$"
    )

    with pytest.raises(CannotChangeState, match=missing):
        open_study(study, now=NOW)

    study.tasks.update(role=TaskRole.QUALIFICATION)
    _design(study, checks=Checks(every=5))
    with pytest.raises(CannotChangeState, match=r"no task, no gold or attention task, no expected values"):
        open_study(study, now=NOW)


@pytest.mark.django_db
def test_only_main_tasks_have_slots():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=2)
    study.tasks.filter(position=0).update(role=TaskRole.TRAINING)

    open_study(study, now=NOW)

    assert list(Slot.objects.values_list("task__position", flat=True)) == [1]


@pytest.mark.django_db
def test_slider_is_a_scale():
    study = make_study(kind=TaskKind.RATING)
    _design(study, slider=Slider("bad", "good"))

    open_study(study, now=NOW)

    assert Study.objects.get().state == StudyState.OPEN


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "change", "missing"),
    [
        (TaskKind.TURING, {"candidate": None}, "no single caption in every item$"),
        (TaskKind.CAPTION, {"image": "without file"}, "no image with a file, and no caption, in every item$"),
        (TaskKind.BEST_WORST, {"image": "without file"}, "no three captions or more of one image in every task$"),
    ],
)
def test_open_study_wants_what_its_kind_asks_about(kind, change, missing, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    study = make_designed_study(kind=kind, n_tasks=2)
    item = Item.objects.first()
    if "image" in change:
        change = {"image": Image.objects.create(dataset=study.dataset, key=change["image"])}
    Item.objects.filter(pk=item.pk).update(**change)

    with pytest.raises(CannotChangeState, match=missing):
        open_study(study, now=NOW)


@pytest.mark.django_db
def test_best_and_worst_of_two_are_not_asked():
    study = make_designed_study(kind=TaskKind.BEST_WORST, n_tasks=2, has_files=False)
    Item.objects.filter(task__position=1).last().delete()

    with pytest.raises(CannotChangeState, match=r"no three captions or more of one image in every task$"):
        open_study(study, now=NOW)
