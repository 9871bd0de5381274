"""Tests of best-worst scaling: exactly one best and one worst caption, which differ."""

import pytest

from annotation_ui.kinds.best_worst import BestWorstForm
from studies.collection.assignment import Answer
from studies.design.study_design import StudyDesign
from tests.annotation_ui.kinds.items import make_items


def _build(**data):
    return BestWorstForm(make_items(7, 8, 9, 10), design=StudyDesign(question="?"), data=data)


def test_every_item_gets_a_judgment() -> None:
    form = _build(best="9", worst="7", elapsed="1200")

    assert form.is_valid()
    assert form.read_answers() == (
        Answer(item=7, value=-1.0, answer={"choice": "worst"}, elapsed_ms=1200),
        Answer(item=8, value=0.0, answer={"choice": "neither"}, elapsed_ms=1200),
        Answer(item=9, value=1.0, answer={"choice": "best"}, elapsed_ms=1200),
        Answer(item=10, value=0.0, answer={"choice": "neither"}, elapsed_ms=1200),
    )


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        ({}, {"best": ["Choose the best caption."], "worst": ["Choose the worst caption."]}),
        ({"best": "8"}, {"worst": ["Choose the worst caption."]}),
        ({"best": "8", "worst": "6"}, {"worst": ["Choose the worst caption."]}),
        ({"best": "\x00", "worst": "8"}, {"best": ["Choose the best caption."]}),
    ],
)
def test_missing_or_foreign_choices_are_refused(data: dict, errors: dict) -> None:
    form = _build(**data)

    assert form.errors == errors
    assert not form.has_wrong_answers


def test_best_and_worst_are_two_captions() -> None:
    form = _build(best="8", worst="8")

    assert form.errors == {
        "worst": ["The best caption and the worst one cannot be the same. Choose another worst caption."]
    }
    assert form.has_wrong_answers


def test_cards_carry_what_was_chosen_before() -> None:
    given = {7: {"choice": "worst"}, 8: {"choice": "best"}, 9: {"choice": "neither"}, 10: {"choice": "neither"}}
    fresh, again = (
        BestWorstForm(make_items(7, 8, 9, 10), design=StudyDesign(), given=answers) for answers in (None, given)
    )

    def marks(form):
        return [(card.shown.pk, card.best.data["selected"], card.worst.data["selected"]) for card in form.list_cards()]

    assert marks(fresh) == [(pk, False, False) for pk in (7, 8, 9, 10)]
    assert marks(again) == [(7, False, True), (8, True, False), (9, False, False), (10, False, False)]
