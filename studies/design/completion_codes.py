"""The completion code that a rater takes back to the panel, by outcome."""

from collections.abc import Mapping
from typing import Final

from studies.design.study_design import Panel
from studies.enums import RaterOutcome

_FALLBACKS: Final[Mapping[str, RaterOutcome]] = {RaterOutcome.CUT_SHORT: RaterOutcome.LEFT}
"""Outcome -> the outcome whose code is used if it has none: both are reviewed, and paid for the work done."""


def find_completion_code(panel: Panel, outcome: str) -> str:
    """Return the code of a rater with this outcome; empty if there is none."""
    return panel.codes.get(RaterOutcome(outcome)) or panel.codes.get(_FALLBACKS.get(outcome, outcome), "")
