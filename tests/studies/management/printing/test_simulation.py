"""Tests of the report in a terminal, which does not mention codes and wages if there are none."""

from decimal import Decimal

import pytest

from studies.management.printing.simulation import print_simulation
from studies.simulation.report import BehaviourRow, SimulationReport

ROW = BehaviourRow(
    behaviour="attentive",
    n=4,
    outcomes="4 finished",
    n_coded=3,
    n_tasks=24,
    minutes=11.04,
    hourly=Decimal("7.1628"),
    n_broken=1,
)


def make_report(**given):
    facts = {"n_raters": 4, "n_judgments": 24, "n_slots": 30, "n_filled": 24, "minutes": 57.2}
    return SimulationReport(**{"rows": (ROW,), **facts, "pay": None, "problems": (), **given})


@pytest.mark.parametrize(
    ("gives_codes", "cells", "said"),
    [
        (
            True,
            ["attentive", "4 finished", "4", "3", "24", "11.0", "7.16", "1"],
            ["every participation ended as the panel expects, codes are correct"],
        ),
        (
            False,
            ["attentive", "4 finished", "4", "24", "11.0", "7.16", "1"],
            [
                "the panel does not use completion codes",
                "every participation ended as the panel expects",
            ],
        ),
    ],
)
def test_codes_are_counted_where_there_are_any(gives_codes, cells, said) -> None:
    table, _, problems = print_simulation(make_report(gives_codes=gives_codes)).split("\n\n")

    header, *_, row = table.splitlines()
    assert ("with code" in header) is gives_codes
    assert " ".join(row.split()) == " ".join(cells)
    assert problems.splitlines() == said


def test_problems_stand_alone() -> None:
    printed = print_simulation(make_report(problems=("rater 1: odd",)))

    assert printed.splitlines()[-1] == "rater 1: odd"
    assert "every part" not in printed
