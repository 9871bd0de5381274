"""Tests of descriptions of judgments for the feedback of training."""

import pytest

from annotation_ui.kinds.wording import describe_answer, describe_expected
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from tests.annotation_ui.kinds.items import make_items

DESIGN = StudyDesign(scale=(ScalePoint(1, "bad"), ScalePoint(2, "good")))


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (TaskKind.RATING, 2.0, "good"),
        (TaskKind.RATING, 2.5, "2.5"),
        (TaskKind.SET_RATING, 0.3, "0.3"),
        (TaskKind.PAIRWISE, 1.0, "“One.”"),
        (TaskKind.PAIRWISE, -1.0, "“Two.”"),
        (TaskKind.PAIRWISE, 0.0, "No preference"),
        (TaskKind.TURING, 1.0, "A person wrote it"),
        (TaskKind.TURING, 0.0, "A machine wrote it"),
        (TaskKind.BEST_WORST, 1.0, "Best"),
        (TaskKind.BEST_WORST, -1.0, "Worst"),
        (TaskKind.BEST_WORST, 0.0, "Neither best nor worst"),
        (TaskKind.CAPTION, None, ""),
    ],
)
def test_value_is_said_as_the_rater_saw_it(kind: TaskKind, value: float | None, words: str) -> None:
    (shown,) = make_items(7)

    assert describe_answer(kind, value, shown=shown, design=DESIGN) == words


def test_expected_values_and_ranges_are_joined() -> None:
    (shown,) = make_items(7)

    words = describe_expected(TaskKind.RATING, [1, [1.5, 2]], shown=shown, design=DESIGN)

    assert words == "bad or 1.5 to good"
