"""Stored reports of simulations, prepared for pages."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from studies.collection.pay.wages import explain_wage
from studies.simulation.report import BehaviourRow, SimulationCourse

PROBLEMS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ShownPay:
    """Payments with amounts rounded to cents."""

    currency: str
    promised: Decimal
    median_hourly: Decimal | None
    spent: Decimal
    owed: Decimal
    budget_left: Decimal | None

    @property
    def warning(self) -> str:
        """How the median hourly wage differs from the promised one; "" if it is fine."""
        return explain_wage(self.median_hourly, promised=self.promised)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReport(SimulationCourse):
    """A report with the first few problems and their number."""

    pay: ShownPay | None
    problems: tuple[str, ...]
    n_problems: int


def lay_out(report: Mapping[str, Any]) -> ShownReport:
    """Return a report from its stored JSON."""
    # Reports of older versions may lack fields with defaults.
    course = {field.name: report[field.name] for field in fields(SimulationCourse) if field.name in report}
    rows = tuple(BehaviourRow(**{**row, "hourly": _round(row["hourly"])}) for row in report["rows"])
    return ShownReport(
        **{**course, "rows": rows},
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
