"""Prints the payments of a study."""

from decimal import Decimal

from studies.collection.pay.earnings import Earning, PayReport
from studies.collection.pay.wages import explain_wage
from studies.management.printing.tables import format_table

_HEADER = ("rater", "outcome", "minutes", "sessions", "earned", "hourly", "owed")


def print_pay(report: PayReport) -> str:
    """Return one line per rater and the totals."""
    warning = explain_wage(report.median_hourly, promised=report.hourly_wage)
    rows = [_print_earning(earning) for earning in report.earnings]
    lines = [
        f"median hourly wage: {_print_amount(report.median_hourly)} {report.currency} (promised "
        f"{report.hourly_wage:.2f})",
        *([f"warning: the median hourly wage is {warning}"] if warning else []),
        f"spent: {report.spent:.2f}, owed: {report.owed:.2f}, "
        f"budget left: {_print_amount(report.budget_left)} {report.currency}",
    ]
    claims = [f"owed on receipt {claim.receipt}: {claim.amount:.2f} {claim.currency}" for claim in report.claims]
    return "\n\n".join([format_table(_HEADER, rows, n_names=2), "\n".join([*lines, *claims])])


def _print_earning(earning: Earning) -> tuple[str, ...]:
    return (
        earning.rater,
        earning.outcome or "at work",
        f"{earning.seconds / 60:.1f}",
        str(earning.n_sessions),
        f"{earning.earned:.2f}",
        _print_amount(earning.hourly),
        f"{earning.owed:.2f}",
    )


def _print_amount(amount: Decimal | None) -> str:
    return "-" if amount is None else f"{amount:.2f}"
