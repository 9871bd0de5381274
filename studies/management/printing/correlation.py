"""Prints the results of `correlate` and notes about them."""

from collections.abc import Iterator, Mapping
from typing import Any

from studies.analysis.correlations import StudyObservations
from studies.analysis.reports import Correlated
from studies.management.printing.comparison import print_differences
from studies.management.printing.results import print_results
from studies.models import Study


def print_found(found: Correlated) -> str:
    """Return the table of results and, if differences were tested, their tables."""
    if found.report is None or not found.report.design.test:
        return print_results(found)
    return f"{print_results(found)}\n\n{print_differences(found.report)}"


def list_notes(
    gathered: StudyObservations, found: Correlated, *, asked: Study, chosen: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the lines that a reader of the results needs: notes, then cautions, next to the table."""
    for note in _list_notes(gathered, found, asked=asked, chosen=chosen):
        yield f"note: {note}"
    for caution in found.report.cautions if found.report else ():
        yield f"caution: {caution}"


def _list_notes(
    gathered: StudyObservations, found: Correlated, *, asked: Study, chosen: Mapping[str, Any]
) -> Iterator[str]:
    if gathered.study != asked:
        yield f"{gathered.protocol.reference} uses the judgments of {gathered.study.name}"
    if gathered.unscored:
        yield f"without scores: {', '.join(gathered.unscored)}; manage.py score {asked.name}"
    for metric, count in gathered.infinite:
        yield f"{metric}: {count:,} infinite scores are treated as missing"
    if gathered.own_captions:
        yield from gathered.own_captions.list_notes(are_dropped=gathered.protocol.drop_candidates_in_references)
    for row in found.report.rows if found.report else ():
        if row.reason:
            where = f"{row.coefficient} at level {row.level}" + (f", {row.category}" if row.category else "")
            yield f"{row.metric}: {where} is undefined, {row.reason}"
    if chosen["json"] and chosen["test"] and not chosen["out"]:
        yield "rows printed by --json do not include differences; use --out FILE.json, or compare --json"
