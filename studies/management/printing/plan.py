"""Prints a plan, and declares the arguments for its assumptions."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from studies.analysis.planning import StudyPlan, complete_assumptions

COUNTS = ("raters",)
NUMBERS = {
    "first": "metric-difference: correlation of the first metric with perfectly reliable judgments",
    "second": "metric-difference: correlation of the second metric",
    "between": "metric-difference: correlation between the metrics",
    "reliability": "metric-difference: reliability of one judgment (ICC1; default: 1)",
    "difference": "system-difference: difference in mean ratings; with a pilot for metrics: in their correlations",
    "deviation": "system-difference: standard deviation over images of the true difference",
    "rater-deviation": "system-difference: standard deviation of one rating around it (default: 0)",
    "share": "preference: share of decided choices for the better system",
    "ties": "preference: share of judgments without a preference (default: 0)",
    "design-effect": "design effect of several items per image (default: 1)",
    "power": "power (default: 0.8)",
    "alpha": "significance level, two-sided (default: 0.05)",
}


def add_assumptions(parser: CommandParser) -> None:
    """Add the arguments for assumptions."""
    for name, meaning in NUMBERS.items():
        parser.add_argument(f"--{name}", type=float, metavar="X", help=meaning)
    parser.add_argument("--raters", type=int, metavar="K", help="judgments per item (default: 1)")


def read_assumptions(chosen: Mapping[str, Any]) -> dict[str, float]:
    """Return the assumptions that were given."""
    names = [name.replace("-", "_") for name in (*NUMBERS, *COUNTS)]
    return {name: chosen[name] for name in names if chosen[name] is not None}


def print_plan(made: StudyPlan) -> str:
    """Return the plan, its cost and all of its assumptions."""
    plan = made.plan
    lines = [
        f"{plan.n:,} {plan.unit}, {plan.judgments:,} judgments",
        f"detects a difference of {plan.effect:.4g} with power {plan.power:.3f} at alpha {plan.alpha:g}",
    ]
    if made.cost:
        lines.append(f"{made.cost.hours:,.1f} hours, cost {made.cost.price:,.2f}")
    every = complete_assumptions(made)
    width = max(map(len, every))
    assumed = [f"  {name.replace('_', ' '):{width}}  {value:.4g}" for name, value in every.items()]
    return "\n".join([*lines, "assumes", *assumed])
