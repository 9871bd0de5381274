"""A kept report of a rehearsal as a page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

PROBLEMS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ShownRow:
    """The raters of one behaviour; hourly is None where nothing is promised or nobody worked."""

    behaviour: str
    n: int
    outcomes: str
    n_coded: int
    n_tasks: int
    minutes: float | None
    hourly: Decimal | None
    n_broken: int


@dataclass(frozen=True, slots=True)
class ShownPay:
    """The money; amounts are rounded to cents, `total` is rewards with fees and top-ups."""

    currency: str
    promised: Decimal
    median_hourly: Decimal | None
    spent: Decimal
    owed: Decimal
    budget_left: Decimal | None


@dataclass(frozen=True, slots=True)
class ShownReport:
    """What a page says of a rehearsal; of its problems the first few, and how many there are."""

    rows: tuple[ShownRow, ...]
    n_raters: int
    n_judgments: int
    n_places: int
    n_filled: int
    minutes: float
    pay: ShownPay | None
    problems: tuple[str, ...]
    n_problems: int


def lay_out(report: Mapping[str, Any]) -> ShownReport:
    """Return a report that was kept as JSON."""
    return ShownReport(
        rows=tuple(ShownRow(**{**row, "hourly": _round(row["hourly"])}) for row in report["rows"]),
        **{name: report[name] for name in ("n_raters", "n_judgments", "n_places", "n_filled", "minutes")},
        pay=_lay_out_pay(report["pay"]) if report["pay"] else None,
        problems=tuple(report["problems"][:PROBLEMS_SHOWN]),
        n_problems=len(report["problems"]),
    )


def _lay_out_pay(pay: Mapping[str, Any]) -> ShownPay:
    return ShownPay(
        currency=pay["currency"],
        promised=Decimal(pay["hourly_wage"]).quantize(Decimal("0.01")),
        median_hourly=_round(pay["median_hourly"]),
        spent=Decimal(pay["spent"]).quantize(Decimal("0.01")),
        owed=Decimal(pay["owed"]).quantize(Decimal("0.01")),
        budget_left=_round(pay["budget_left"]),
    )


def _round(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount).quantize(Decimal("0.01"))
