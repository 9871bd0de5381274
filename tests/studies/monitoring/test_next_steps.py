from dataclasses import replace

import pytest

from studies.design.study_lists import StudyProgress
from studies.enums import StudyState
from studies.models import Study
from studies.monitoring.next_steps import list_next_steps
from tests.correlation.reports.example import REPORT, ROWS

FEW = replace(REPORT, rows=tuple(replace(row, caution="only 3 images") for row in ROWS))
FEW_OF_ONE = replace(REPORT, rows=(replace(ROWS[0], caution="only 3 images"), *ROWS[1:]))


def list_titles(state, *, planned=0, filled=0, n_judgments=36, report=REPORT, may_change=True, may_analyse=True):
    steps = list_next_steps(
        Study(state=state),
        progress=StudyProgress(planned=planned, filled=filled),
        n_judgments=n_judgments,
        report=report,
        may_change=may_change,
        may_analyse=may_analyse,
    )
    return [step.title for step in steps]


READING = ["Look at disagreements", "Vary the analysis"]


@pytest.mark.parametrize(
    ("given", "titles"),
    [
        ({"state": StudyState.DRAFT, "n_judgments": 0, "report": None}, ["Complete the design", "Open the study"]),
        (
            {"state": StudyState.OPEN, "planned": 6, "filled": 2, "n_judgments": 2, "report": None},
            ["Invite raters", "Run metrics"],
        ),
        ({"state": StudyState.OPEN, "planned": 6, "filled": 6}, ["Close the study", *READING, "Freeze a report"]),
        ({"state": StudyState.CLOSED}, [*READING, "Freeze a report"]),
        ({"state": StudyState.CLOSED, "report": FEW}, ["Plan more items", *READING, "Freeze a report"]),
        ({"state": StudyState.CLOSED, "report": FEW_OF_ONE}, [*READING, "Freeze a report"]),
        ({"state": StudyState.CLOSED, "may_change": False, "may_analyse": False, "report": FEW}, READING),
        ({"state": StudyState.DRAFT, "may_change": False, "may_analyse": False, "report": None}, []),
    ],
)
def test_steps_follow_the_state_and_the_rights(given, titles):
    assert list_titles(**given) == titles


def test_steps_say_why():
    steps = list_next_steps(
        Study(state=StudyState.OPEN),
        progress=StudyProgress(planned=1200, filled=2),
        n_judgments=0,
        report=None,
        may_change=True,
        may_analyse=True,
    )

    assert [step.reason for step in steps] == ["1,198 of 1,200 slots are still free."]
