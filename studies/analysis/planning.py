"""Plans the size of a study and its cost, from assumptions or from a pilot."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from inspect import signature
from math import ceil
from statistics import median
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet

from correlation.comparison.compare import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.planning.pilots import estimate_preference, estimate_systems, find_error
from correlation.planning.sizes import (
    Cost,
    Plan,
    estimate_cost,
    plan_from_pilot,
    plan_metric_difference,
    plan_preference,
    plan_system_difference,
)
from studies.analysis.comparisons import compare_observations
from studies.analysis.correlations import gather_observations
from studies.enums import TaskKind, TaskRole
from studies.models import Judgment, Study
from studies.shared.problems import lack_judgments

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Pilot:
    """A study to plan from, and its two metrics or systems to compare."""

    study: Study
    pair: tuple[str, ...]
    resamples: int = 1000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A plan, its assumptions by name, and its cost; None if the time or the wage is unknown."""

    what: str
    assumptions: dict[str, float]
    plan: Plan
    cost: Cost | None


@dataclass(frozen=True, slots=True)
class Prices:
    """Seconds per judgment (None: the pilot's median), hourly wage (None: no cost), the panel's fee (0.33)."""

    seconds: float | None = None
    wage: float | None = None
    fee: float = 0.0


class AssumptionsDoNotFit(CorrelationInputError):
    """Assumptions that a question needs are missing, or some are for another question.

    Attributes:
        missing, strange: Their names.
    """

    def __init__(self, message: str, *, missing: Sequence[str], strange: Sequence[str]) -> None:
        super().__init__(message)
        self.missing, self.strange = tuple(missing), tuple(strange)


def make_plan(
    what: str, *, assumptions: Mapping[str, float], pilot: Pilot | None = None, prices: Prices | None = None
) -> StudyPlan:
    """Plan a study that detects a difference with a given power.

    Args:
        what: A name in `QUESTIONS`.
        assumptions: By the names of the planning function's arguments; they override estimates from the pilot.
        pilot: A study from which the other assumptions are estimated.
        prices: The prices for the cost.

    Raises:
        AssumptionsDoNotFit: An assumption is missing or not for this question; there are no implicit assumptions.
        CorrelationInputError: An assumption is out of range, or the pilot does not fit.
        MissingScores: A metric of the pilot has no scores.
    """
    question = QUESTIONS[what]
    if pilot:
        if len(set(pilot.pair)) != 2:
            raise CorrelationInputError(f"a pilot needs two names to compare, got: {', '.join(pilot.pair) or 'none'}")
        question = _FROM_ERROR if question.estimate is _estimate_metrics else question
    known = {**(question.estimate(pilot) if pilot else {}), **assumptions}
    missing = [name for name in question.needs if name not in known]
    strange = [name for name in assumptions if name not in (*question.needs, *question.may, *_ALWAYS)]
    if missing or strange:
        wrong = f"missing: {_name(missing)}" if missing else f"not applicable to this question: {_name(strange)}"
        may = _name((*question.may, *_ALWAYS))
        message = f"plan {what} needs {_name(question.needs)} and takes {may}; {wrong}"
        raise AssumptionsDoNotFit(message, missing=missing, strange=() if missing else strange)
    plan = question.function(**known)
    return StudyPlan(what, known, plan, _price(plan, pilot, prices or Prices()))


def complete_assumptions(made: StudyPlan) -> dict[str, float]:
    """Return all assumptions of a plan, with the defaults of those that were not given; the reliability comes first."""
    question = _FROM_ERROR if "error" in made.assumptions else QUESTIONS[made.what]
    arguments = signature(question.function).parameters.values()
    defaults = {each.name: each.default for each in arguments if isinstance(each.default, int | float)}
    every = {**made.assumptions, **{name: value for name, value in defaults.items() if name not in made.assumptions}}
    # The reliability changes the size most, and no judgments of people have its default, 1.
    first = {name: every[name] for name in ("reliability",) if name in every}
    return first | every


def _price(plan: Plan, pilot: Pilot | None, prices: Prices) -> Cost | None:
    seconds = prices.seconds
    if seconds is None and pilot:
        times = _list_judgments(pilot).filter(elapsed_ms__isnull=False)
        measured = list(times.values_list("elapsed_ms", flat=True))
        seconds = median(measured) / 1000 if measured else None
    if prices.wage is not None and seconds is None:
        raise CorrelationInputError("computing the cost needs --seconds per judgment, because no pilot has measured it")
    if prices.wage is None and prices.seconds is not None:
        raise CorrelationInputError("computing the cost needs --wage, the hourly wage")
    if prices.wage is None or seconds is None:
        return None
    return estimate_cost(plan, seconds=seconds, wage=prices.wage, fee=prices.fee)


def _name(names: Sequence[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in names) or "nothing"


def _estimate_metrics(pilot: Pilot) -> dict[str, float]:
    """Return the difference at the measure used for ranking, with its standard error by a bootstrap over images."""
    request = ComparisonRequest("bootstrap", ("images",), n_resamples=pilot.resamples, alpha=1 - CONFIDENCE)
    gathered = gather_observations(pilot.study, metrics=pilot.pair)
    report = compare_observations(gathered, request=request, seed=pilot.seed)
    found = report.find_difference(*pilot.pair, report.ranking_measure)
    if report.cautions:
        raise CorrelationInputError(f"pilot {pilot.study.name}: {'; '.join(report.cautions)}")
    if found is None or found.difference is None or found.low is None or found.high is None:
        raise CorrelationInputError(f"pilot {pilot.study.name}: the difference of {_join(pilot)} is undefined")
    table = gathered.judgments.table
    n_images = len(set(table.image[table.item].tolist()))
    return {
        "difference": abs(found.difference),
        "error": find_error(found.low, found.high, confidence=CONFIDENCE),
        "n_pilot": n_images,
        "judgments_per_unit": ceil(len(table.value) / n_images),
    }


def _estimate_systems(pilot: Pilot) -> dict[str, float]:
    if pilot.study.kind == TaskKind.PAIRWISE:
        raise CorrelationInputError(f"pilot {pilot.study.name} has pairs, not ratings: plan a preference")
    owner = "caption_set" if pilot.study.kind == TaskKind.SET_RATING else "candidate"
    image, system, value = _read_columns(pilot, "item__image__key", f"item__{owner}__system__name", "value")
    first, second = pilot.pair
    found = asdict(estimate_systems(image=image, system=system, value=value, first=first, second=second))
    return {name: found[name] for name in ("difference", "deviation", "rater_deviation")}


def _estimate_preference(pilot: Pilot) -> dict[str, float]:
    if pilot.study.kind != TaskKind.PAIRWISE:
        raise CorrelationInputError(f"pilot {pilot.study.name} has ratings, not pairs: plan a system-difference")
    systems = ("item__candidate__system__name", "item__other_candidate__system__name")
    rows = list(zip(*_read_columns(pilot, "item__image__key", *systems, "value"), strict=True))
    first, second = pilot.pair
    # +1 is for the item's candidate, which may be of either system.
    signs = {(first, second): 1, (second, first): -1}
    chosen = [(image, signs[one, other] * value) for image, one, other, value in rows if (one, other) in signs]
    if not chosen:
        raise CorrelationInputError(f"pilot {pilot.study.name} has no pair of {_join(pilot)}")
    images, values = zip(*chosen, strict=True)
    found = asdict(estimate_preference(image=images, value=values))
    return {name: found[name] for name in ("share", "ties", "design_effect")}


def _read_columns(pilot: Pilot, *fields: str) -> list[tuple[Any, ...]]:
    rows = list(_list_judgments(pilot).filter(value__isnull=False).order_by("pk").values_list(*fields))
    if not rows:
        raise CorrelationInputError(lack_judgments(pilot.study.name))
    return list(zip(*rows, strict=True))


def _list_judgments(pilot: Pilot) -> QuerySet[Judgment]:
    return Judgment.objects.filter(item__task__study=pilot.study, item__task__role=TaskRole.MAIN)


def _join(pilot: Pilot) -> str:
    return " and ".join(pilot.pair)


@dataclass(frozen=True, slots=True)
class PlanningQuestion:
    """One question of the planner: its function, its assumptions, and how to estimate them from a pilot."""

    function: Callable[..., Plan]
    needs: tuple[str, ...]
    may: tuple[str, ...]
    estimate: Callable[[Pilot], dict[str, float]]


_ALWAYS = ("power", "alpha")
_FROM_ERROR = PlanningQuestion(
    plan_from_pilot, ("difference", "error", "n_pilot"), ("judgments_per_unit",), _estimate_metrics
)
QUESTIONS: Mapping[str, PlanningQuestion] = MappingProxyType(
    {
        "metric-difference": PlanningQuestion(
            plan_metric_difference,
            ("first", "second", "between"),
            ("reliability", "raters", "design_effect"),
            _estimate_metrics,
        ),
        "system-difference": PlanningQuestion(
            plan_system_difference, ("difference", "deviation"), ("rater_deviation", "raters"), _estimate_systems
        ),
        "preference": PlanningQuestion(plan_preference, ("share",), ("ties", "design_effect"), _estimate_preference),
    }
)
"""The questions of the planner by name."""
