"""Tests of all task kinds: there is a form for each, nothing is preselected, and no authors are revealed."""

from pathlib import Path

import pytest

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import ItemForm
from studies.collection.assignment import Answer
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind

BY_ITEM = [kind for kind, form in KINDS.items() if issubclass(form, ItemForm) and kind != TaskKind.CAPTION]
ROOT = Path(__file__).resolve().parents[3]
DESIGN = StudyDesign(question="?", scale=(ScalePoint(-0.5, "bad"), ScalePoint(2, "good")), allows_no_preference=True)


def _show(pk=7, *, is_swapped=False):
    return ShownItem(
        pk=pk, name=str(pk), image=None, image_name="", anchor="", captions=("One.", "Two."), is_swapped=is_swapped
    )


def _build(kind, *shown, **data):
    return KINDS[kind](shown or (_show(),), design=DESIGN, data=data)


def test_every_kind_of_the_data_model_has_a_form() -> None:
    assert set(KINDS) == set(TaskKind)


def test_best_worst_is_known_to_its_own_files_only() -> None:
    """A new kind is one file with its templates: nothing else on the raters' side has to hear of it."""
    sources = [path for path in (ROOT / "annotation_ui").rglob("*") if path.suffix in {".py", ".html", ".js"}]

    knowing = {path.name for path in sources if "best_worst" in path.read_text() or "BestWorst" in path.read_text()}

    assert knowing == {"best_worst.py"}


@pytest.mark.parametrize(
    ("kind", "choice", "value", "answer"),
    [
        (TaskKind.PAIRWISE, "first", 1.0, {"choice": "first"}),
        (TaskKind.PAIRWISE, "second", -1.0, {"choice": "second"}),
        (TaskKind.PAIRWISE, "none", 0.0, {"choice": "none"}),
        (TaskKind.RATING, "-0.5", -0.5, {"rating": -0.5, "label": "bad"}),
        (TaskKind.RATING, "2", 2, {"rating": 2, "label": "good"}),
        (TaskKind.SET_RATING, "0", 0.0, {"score": 0.0}),
        (TaskKind.SET_RATING, "0.3", 0.3, {"score": 0.3}),
        (TaskKind.SET_RATING, "1", 1.0, {"score": 1.0}),
        (TaskKind.TURING, "person", 1.0, {"author": "person"}),
        (TaskKind.TURING, "machine", 0.0, {"author": "machine"}),
    ],
)
def test_choice_becomes_a_judgment(kind, choice, value, answer) -> None:
    form = _build(kind, **{"item-7": choice, "elapsed-7": "2500"})

    assert form.is_valid()
    assert form.read_answers() == (Answer(item=7, value=value, answer=answer, elapsed_ms=2500),)
    # The stored answer finds its way back into the form that corrects it.
    again = KINDS[kind]((_show(),), design=DESIGN, given={7: answer})
    assert again.initial == {"item-7": choice}
    assert [radio.data["value"] for radio in again["item-7"] if radio.data["selected"]] == [choice]


@pytest.mark.parametrize(("choice", "value"), [("first", -1.0), ("second", 1.0), ("none", 0.0)])
def test_swapped_pair_counts_for_the_caption_and_not_for_its_side(choice: str, value: float) -> None:
    form = _build(TaskKind.PAIRWISE, _show(is_swapped=True), **{"item-7": choice})

    assert form.is_valid()
    assert [str(answer.value) for answer in form.read_answers()] == [str(value)]


def test_no_preference_is_offered_only_where_the_design_allows_it() -> None:
    form = KINDS[TaskKind.PAIRWISE]((_show(),), design=StudyDesign(), data={"item-7": "none"})

    assert form.errors == {"item-7": ["Choose one of the answers."]}


@pytest.mark.parametrize(
    ("kind", "choices"),
    [
        (TaskKind.PAIRWISE, ["first", "second", "none"]),
        (TaskKind.RATING, ["-0.5", "2"]),
        (TaskKind.TURING, ["person", "machine"]),
        (TaskKind.SET_RATING, ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]),
    ],
)
def test_nothing_is_chosen_beforehand(kind, choices) -> None:
    (question,) = KINDS[kind]((_show(),), design=DESIGN).list_questions()

    assert [radio.data["value"] for radio in question.field] == choices
    assert [radio.data["selected"] for radio in question.field] == [False] * len(choices)


@pytest.mark.parametrize("kind", BY_ITEM)
@pytest.mark.parametrize("choice", ["", "third", "1.5", "nan", "\x00", "x" * 100_000], ids=ascii)
def test_other_answers_are_refused(kind, choice: str) -> None:
    form = _build(kind, _show(7), _show(8), **{"item-7": choice, "item-8": "0.3"})
    name = KINDS[kind].item_name

    assert not form.is_valid()
    assert form.errors["item-7"] == [f"Choose an answer for {name} A."]


@pytest.mark.parametrize(
    ("sent", "stored"),
    [("0", 0), ("86400000", 86_400_000), ("86400001", None), ("", None), ("-5", None), ("soon", None), ("²", None)],
)
def test_impossible_times_are_ignored(sent: str, stored: int | None) -> None:
    form = _build(TaskKind.SET_RATING, **{"item-7": "0.5", "elapsed-7": sent})

    assert form.is_valid()
    assert [answer.elapsed_ms for answer in form.read_answers()] == [stored]


def test_many_items_are_lettered() -> None:
    form = _build(TaskKind.SET_RATING, *[_show(pk) for pk in range(1, 29)])

    names = [question.name for question in form.list_questions()]
    assert (names[0], names[25:]) == ("Set A", ["Set Z", "Set AA", "Set AB"])
