"""A plan as text, and the arguments that it is made from."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from studies.analysis.planning import StudyPlan

COUNTS = ("raters",)
NUMBERS = {
    "first": "metric-difference: correlation of the first metric with perfectly reliable judgments",
    "second": "metric-difference: that of the second metric",
    "between": "metric-difference: correlation of the metrics with each other",
    "reliability": "metric-difference: of one judgment (ICC1; default: 1)",
    "difference": "system-difference: of mean ratings; with a pilot of metrics: of their coefficients",
    "deviation": "system-difference: over images, of the difference that all possible raters would give",
    "rater-deviation": "system-difference: of one rating around that (default: 0)",
    "share": "preference: of decided choices that go to the better system",
    "ties": "preference: share of judgments without a preference (default: 0)",
    "design-effect": "how much items of one image repeat each other (default: 1)",
    "power": "chance of finding the difference (default: 0.8)",
    "alpha": "level of the two-sided test (default: 0.05)",
}


def add_assumptions(parser: CommandParser) -> None:
    """Add what a plan may assume."""
    for name, meaning in NUMBERS.items():
        parser.add_argument(f"--{name}", type=float, metavar="X", help=meaning)
    parser.add_argument("--raters", type=int, metavar="K", help="judgments of each item (default: 1)")


def read_assumptions(chosen: Mapping[str, Any]) -> dict[str, float]:
    """Return what was said, and nothing that was not."""
    names = [name.replace("-", "_") for name in (*NUMBERS, *COUNTS)]
    return {name: chosen[name] for name in names if chosen[name] is not None}


def print_plan(made: StudyPlan) -> str:
    """Return the plan, its cost and all that it assumes."""
    plan = made.plan
    lines = [
        f"{plan.n:,} {plan.unit}, {plan.judgments:,} judgments",
        f"finds a difference of {plan.effect:.4g} with power {plan.power:.3f} at alpha {plan.alpha:g}",
    ]
    if made.cost:
        lines.append(f"{made.cost.hours:,.1f} hours, price {made.cost.price:,.2f}")
    assumed = ", ".join(f"{name} {value:.4g}" for name, value in made.assumptions.items())
    return "\n".join([*lines, f"assumes {assumed}"])
