"""Tests that the report of a simulation replaces codes with their meaning."""

from dataclasses import replace

import pytest

from studies.design.study_design import Panel, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind, RaterOutcome
from studies.simulation.raters import SimulatedVisit
from studies.simulation.report import report_simulation
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_rater

CODES = {RaterOutcome.FINISHED: "CFINISHED", RaterOutcome.LEFT: "CLEFT"}
DONE = SimulatedVisit(1, "attentive", pseudonym="R-1", code="CFINISHED", heading="Thank you", n_sent=2, problem="")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "came"),
    [("CLEFT", "the code for left"), ("", "no code"), ("CFORGED", "another code"), ("CFINISHED", None)],
)
def test_problems_with_codes_tell_no_code(code, came) -> None:
    study = make_designed_study(panel=Panel(PanelKind.LINK, codes=CODES))
    make_rater(study, "R-1", outcome=RaterOutcome.FINISHED, finished_at=NOW)
    design = StudyDesign.from_json(load_newest_version(study).design)

    report = report_simulation(study, design, [replace(DONE, code=code)], minutes=1.0)

    said = () if came is None else (
        f"rater 1 (attentive): should come back with the code for finished, came with {came}",
    )  # fmt: skip
    assert report.problems == said
