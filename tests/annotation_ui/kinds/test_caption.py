"""Tests of writing captions: the server rejects blocked captions and stores ignored warnings."""

import pytest

from annotation_ui.kinds.caption import CaptionForm
from studies.collection.assignment import Answer
from studies.design.study_design import StudyDesign
from tests.annotation_ui.kinds.items import make_items

GOOD = "A brown dog leaps over a fallen log."
SHORT = "Write at least eight words."
START = "Do not start with “There is”: start with what is in the image."


def _build(*pks, **kwargs):
    return CaptionForm(make_items(*(pks or (7,)), captions=()), design=StudyDesign(question="?"), **kwargs)


def test_caption_is_kept_and_has_no_value() -> None:
    form = _build(data={"item-7": f"  {GOOD[:12]}\r\n\t{GOOD[12:]} ", "elapsed-7": "41000"})

    assert form.is_valid()
    assert form.read_answers() == (
        Answer(item=7, value=None, answer={"caption": GOOD, "warnings": []}, elapsed_ms=41000),
    )


def test_warnings_do_not_block_and_are_kept() -> None:
    form = _build(data={"item-7": "A man in New York was about to say “hello” to a dog."})

    assert form.is_valid()
    assert form.read_answers()[0].answer["warnings"] == ["past-or-future", "speech", "names"]


INVISIBLE = "\u200b\u2060\ufeff\u00ad\u034f\u3164\u115f\u2800\u202e\u2066\ufff9\ue000\U000e0001\U000e0041\U000e0100"
UNSEEN = "Use only letters, digits and punctuation: the caption contains an invisible character."


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", ["Write a caption."]),
        ("   \n ", ["Write a caption."]),
        ("A dog jumps.", [SHORT]),
        ("There is a dog.", [START, SHORT]),
        ("There is a brown dog that leaps over a log.", [START]),
        ("one two three four five six " * 20, ["Write at most 500 characters."]),
        ("A brown dog \x00 leaps over a fallen log.", [UNSEEN]),
        # Between letters, where words hide from the rules; as words, to be eight of them.
        *((f"A brown d{letter}og leaps over a fallen log.", [UNSEEN]) for letter in INVISIBLE),
        ("A dog " + "\u200b " * 8, [UNSEEN]),
        ("A dog " + "\u2800 " * 8, [UNSEEN]),
        ("A dog jumps " + "\u200d \ufe0f " * 8, [SHORT]),
        ("Th\u200dere is a brown dog that leaps over a log.", [START]),
    ],
    ids=ascii,
)
def test_rules_that_block_are_checked_again(text: str, errors: list[str]) -> None:
    assert _build(data={"item-7": text}).errors == {"item-7": errors}


@pytest.mark.parametrize(
    "text",
    [
        "\u200fכלב חום קופץ מעל בול עץ שנפל ביער\u200e ירוק",
        "سگ قهوه\u200cای بزرگ از روی تنه درخت می\u200cپرد و می\u200cدود",  # noqa: RUF001 - Persian
        "A brown dog \U0001f415\u200d\U0001f9ba leaps over a fallen log \u2764\ufe0f",
    ],
    ids=ascii,
)
def test_marks_that_people_type_may_stand_in_a_caption(text: str) -> None:
    form = _build(data={"item-7": text})

    assert form.errors == {}


def test_wrong_is_told_from_missing() -> None:
    assert not _build(data={}).has_wrong_answers
    assert _build(data={"item-7": "A dog."}).has_wrong_answers
    assert _build(7, 8, data={"item-7": GOOD}).errors == {"item-8": ["Write a caption for Image B."]}


def test_caption_to_be_corrected_stands_in_the_field() -> None:
    assert _build(given={7: {"caption": GOOD, "warnings": []}})["item-7"].value() == GOOD
