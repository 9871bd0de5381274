"""Prints the report of a simulation."""

from collections.abc import Iterator

from studies.collection.pay.wages import explain_wage
from studies.management.printing.tables import format_table
from studies.simulation.report import BehaviourRow, SimulationReport

_CODES = "with code"
_HEADER = ("behaviour", "outcomes", "raters", _CODES, "tasks", "minutes", "hourly", "break a rule")


def print_simulation(report: SimulationReport) -> str:
    """Return one line per behaviour, the totals, and deviations from what is expected."""
    shown = [number for number, title in enumerate(_HEADER) if title != _CODES or report.gives_codes]
    lines = [_HEADER, *map(_print_row, report.rows)]
    header, *rows = [tuple(line[number] for number in shown) for line in lines]
    table = format_table(header, rows, n_names=2)
    return "\n\n".join([table, "\n".join(_list_totals(report)), "\n".join(_list_problems(report))])


def _list_totals(report: SimulationReport) -> Iterator[str]:
    yield (
        f"{report.n_judgments} judgments by {report.n_raters} raters in {report.minutes:.0f} minutes; "
        f"{report.n_filled} of {report.n_slots} slots are filled"
    )
    pay = report.pay
    if pay is None:
        yield "the design sets neither a reward nor an hourly wage"
        return
    median = "-" if pay.median_hourly is None else f"{pay.median_hourly:.2f}"
    yield f"median hourly wage: {median} {pay.currency} (promised {pay.hourly_wage:.2f})"
    if warning := explain_wage(pay.median_hourly, promised=pay.hourly_wage):
        yield f"warning: the median hourly wage is {warning}"
    left = "" if pay.budget_left is None else f", budget left: {pay.budget_left:.2f}"
    yield f"to pay: {pay.spent:.2f} {pay.currency}, and top-ups of {pay.owed:.2f}{left}"


def _list_problems(report: SimulationReport) -> Iterator[str]:
    if not report.gives_codes:
        yield "the panel does not use completion codes"
    if not report.problems:
        right = [name for name, is_there in (("codes", report.gives_codes), ("wages", report.pay)) if is_there]
        correct = f", {' and '.join(right)} are correct" if right else ""
        yield f"every participation ended as the panel expects{correct}"
    yield from report.problems


def _print_row(row: BehaviourRow) -> tuple[str, ...]:
    return (
        row.behaviour,
        row.outcomes,
        str(row.n),
        str(row.n_coded),
        str(row.n_tasks),
        "-" if row.minutes is None else f"{row.minutes:.1f}",
        "-" if row.hourly is None else f"{row.hourly:.2f}",
        str(row.n_broken),
    )
