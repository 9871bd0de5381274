"""What `correlate` found as text, and what is to be said beside it."""

from collections.abc import Iterator, Mapping
from typing import Any

from studies.analysis.analysis import StudyObservations
from studies.analysis.reporting import Correlated
from studies.management.printing.comparison import print_differences
from studies.management.printing.results import print_results
from studies.models import Study


def print_found(found: Correlated) -> str:
    """Return the table of numbers and, where differences were tested, their tables."""
    if found.report is None or not found.report.design.test:
        return print_results(found)
    return f"{print_results(found)}\n\n{print_differences(found.report)}"


def list_notes(
    gathered: StudyObservations, found: Correlated, *, asked: Study, chosen: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what a reader of the rows would otherwise miss."""
    if gathered.study != asked:
        yield f"{gathered.protocol.reference} takes the judgments of {gathered.study.name}"
    if gathered.unscored:
        yield f"without scores: {', '.join(gathered.unscored)}; manage.py score {asked.name}"
    for metric, count in gathered.infinite:
        yield f"{metric}: {count:,} infinite scores count as missing"
    for row in found.report.rows if found.report else ():
        if row.reason:
            where = f"{row.coefficient} at level {row.level}" + (f", {row.category}" if row.category else "")
            yield f"{row.metric}: {where} is undefined, {row.reason}"
    if chosen["json"] and chosen["test"] and not chosen["out"]:
        yield "the rows of --json have no differences; see --out FILE.json, or compare --json"
