"""The bound on what the results of a phase tell about its references, as hosts see it."""

from math import inf

from challenges.enums import ChallengeAction
from challenges.hosting.leak_bound import Allowance, LeakBound, compute_leak_bound, count_days, count_score_bits
from challenges.models import Challenge, Phase
from challenges.submissions.scoring import find_images, load_metrics


def list_leak_bounds(challenge: Challenge) -> list[tuple[Phase, LeakBound]]:
    """Return each phase with its bound, for the teams and limits of now."""
    return [(phase, bound_leak(phase)) for phase in challenge.phases.all()]


def bound_leak(phase: Phase) -> LeakBound:
    """Return the bound of a phase, for the teams and limits of now."""
    allowance = Allowance(phase.per_day, phase.in_all)
    raised = {each.team_id: Allowance(each.per_day, each.in_all) for each in phase.team_limits.all()}
    teams = [raised.get(pk, allowance) for pk in phase.challenge.teams.values_list("pk", flat=True)]
    bounds = [_find_bounds(each.metric) for each in phase.metrics.all()]
    rescored = phase.challenge.events.filter(action=ChallengeAction.RESCORED, details__phase=phase.slug)
    return compute_leak_bound(
        [count_score_bits(each, decimals=phase.decimals) for each in bounds],
        n_reference_sets=phase.references.count(),
        n_images=find_images(phase).count(),
        n_days=count_days(opens_at=phase.opens_at, closes_at=phase.closes_at, time_zone=phase.time_zone),
        allowance=allowance,
        teams=teams,
        n_rescorings=rescored.count(),
    )


def _find_bounds(metric: str) -> tuple[float, float]:
    # Scores of a metric that is not installed any more are still shown.
    found = load_metrics().metrics.get(metric)
    return found.info.bounds if found else (-inf, inf)
