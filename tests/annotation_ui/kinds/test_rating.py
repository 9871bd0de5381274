"""Tests of ratings with a slider; labelled scales are tested with all kinds."""

import pytest

from annotation_ui.kinds.rating import RatingForm
from studies.collection.assignment import Answer
from studies.design.study_design import Slider, StudyDesign
from tests.annotation_ui.kinds.items import make_items

DESIGN = StudyDesign(question="?", slider=Slider(low_label="awful", high_label="perfect"))
WRONG = "Enter a number from 0 to 100, in steps of 1."


def _build(*pks, design=DESIGN, **kwargs):
    return RatingForm(make_items(*(pks or (7,))), design=design, **kwargs)


@pytest.mark.parametrize(("sent", "value"), [("0", 0.0), ("73", 73.0), ("100", 100.0), ("50.0", 50.0)])
def test_number_becomes_a_judgment(sent: str, value: float) -> None:
    form = _build(data={"item-7": sent, "elapsed-7": "900"})

    assert form.is_valid()
    assert form.read_answers() == (Answer(item=7, value=value, answer={"rating": value}, elapsed_ms=900),)


def test_the_number_field_has_no_initial_value() -> None:
    html = str(_build()["item-7"])

    assert 'type="number"' in html
    assert all(f'{name}="' in html for name in ("min", "max", "step"))
    assert "value=" not in html


def test_answer_to_be_corrected_stands_in_the_field() -> None:
    assert 'value="73.0"' in str(_build(given={7: {"rating": 73.0}})["item-7"])


@pytest.mark.parametrize("sent", ["-1", "101", "50.5", "nan", "inf", "1e400", "many", "٣٣x"], ids=ascii)
def test_what_is_not_on_the_line_is_refused(sent: str) -> None:
    form = _build(data={"item-7": sent})

    assert set(form.errors["item-7"]) == {WRONG}
    assert form.has_wrong_answers


def test_missing_value_is_asked_for() -> None:
    assert _build(data={}).errors == {"item-7": ["Choose a value on the line."]}
    assert _build(7, 8, data={"item-7": "3"}).errors == {"item-8": ["Choose a value for Caption B."]}


def test_line_may_have_other_ends_and_steps() -> None:
    design = StudyDesign(question="?", slider=Slider("no", "yes", low=-1, high=1, step=0.25))

    assert _build(design=design, data={"item-7": "-0.75"}).is_valid()
    assert _build(design=design, data={"item-7": "-0.7"}).errors == {
        "item-7": ["Enter a number from -1 to 1, in steps of 0.25."]
    }
