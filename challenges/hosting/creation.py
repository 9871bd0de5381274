"""Makes challenges from plans, and copies of challenges; both are drafts."""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from challenges.baselines.adding import add_baselines, copy_baselines
from challenges.baselines.planned import open_planned
from challenges.enums import ChallengeAction, ChallengeState
from challenges.errors import ChallengeRefused
from challenges.hosting.events import record_event
from challenges.hosting.plans import ChallengePlan, PhasePlan
from challenges.models import Challenge, Phase, PhaseMetric, PhaseReferences
from challenges.submissions.scoring import load_metrics
from metrics_plugins.api import MetricError
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from studies.access.audit import Actor
from studies.models import Dataset


@transaction.atomic
def make_challenge(
    plan: ChallengePlan, *, owner: Any | None, actor: Actor, now: datetime, folder: Path | None = None
) -> Challenge:
    """Make a draft, and queue the scoring of its baselines.

    Args:
        plan: The plan.
        owner: Who hosts it.
        actor: Who makes it.
        folder: Where files of baselines are; without one, a plan may name none.

    Raises:
        ChallengeRefused: The name is taken, there is no such dataset, image or metric, dates are in wrong order, or a
            baseline cannot be added.
    """
    dataset = Dataset.objects.filter(name=plan.dataset).first()
    if dataset is None:
        raise ChallengeRefused(f"there is no dataset {plan.dataset!r}")
    _check_slug(plan.slug)
    challenge = Challenge.objects.create(
        slug=plan.slug,
        title=plan.title,
        description=plan.description,
        terms=plan.terms,
        dataset=dataset,
        owner=owner,
        is_anonymous=plan.is_anonymous,
        team_size=plan.team_size,
        most_teams=plan.most_teams,
        created_at=now,
    )
    made = [(_make_phase(challenge, phase), phase.baselines) for phase in plan.phases]
    record_event(challenge, actor=actor, action=ChallengeAction.CREATED, now=now)
    # Last, since their files are not part of the transaction.
    planned = ((phase, open_planned(each, phase, folder=folder)) for phase, each_of in made for each in each_of)
    add_baselines(planned, actor=actor, now=now)
    return challenge


@transaction.atomic
def clone_challenge(challenge: Challenge, *, slug: str, owner: Any, actor: Actor, now: datetime) -> Challenge:
    """Copy a challenge with its phases and baselines into a draft, without teams, submissions, hosts and events.

    Raises:
        ChallengeRefused: The name is taken.
    """
    _check_slug(slug)
    copy = Challenge.objects.create(
        slug=slug,
        title=challenge.title,
        description=challenge.description,
        terms=challenge.terms,
        dataset=challenge.dataset,
        owner=owner,
        is_anonymous=challenge.is_anonymous,
        team_size=challenge.team_size,
        most_teams=challenge.most_teams,
        state=ChallengeState.DRAFT,
        created_at=now,
    )
    pairs = [(phase, _clone_phase(phase, copy)) for phase in challenge.phases.all()]
    details = {"from": challenge.slug}
    record_event(copy, actor=actor, action=ChallengeAction.CLONED, now=now, details=details)
    copy_baselines(pairs, actor=actor, now=now)
    return copy


def _check_slug(slug: str) -> None:
    if Challenge.objects.filter(slug=slug).exists():
        raise ChallengeRefused(f"there is already a challenge {slug!r}: choose another name")


def _make_phase(challenge: Challenge, plan: PhasePlan) -> Phase:
    if challenge.phases.filter(slug=plan.slug).exists():
        raise ChallengeRefused(f"phase {plan.slug}: occurs twice")
    if plan.opens_at >= plan.closes_at:
        raise ChallengeRefused(f"phase {plan.slug}: must open before it closes")
    for names in ([each.metric for each in plan.metrics], [each.name for each in plan.references]):
        if not names or len(set(names)) < len(names):
            raise ChallengeRefused(f"phase {plan.slug}: needs metrics and references, each once; got {names}")
    images = challenge.dataset.images.filter(key__in=plan.images)
    if images.count() < len(set(plan.images)):
        raise ChallengeRefused(f"phase {plan.slug}: the dataset lacks {len(set(plan.images)) - images.count()} images")
    phase = Phase.objects.create(
        challenge=challenge,
        slug=plan.slug,
        title=plan.title,
        split=plan.split,
        captions_per_image=plan.captions_per_image,
        opens_at=plan.opens_at,
        closes_at=plan.closes_at,
        time_zone=plan.time_zone,
        per_day=plan.per_day,
        in_all=plan.in_all,
        visibility=plan.visibility,
        decimals=plan.decimals,
        entry_rule=plan.entry_rule,
        shows_intervals=plan.shows_intervals,
    )
    phase.images.set(images)
    for position, each in enumerate(plan.metrics):
        _check_metric(each.metric, each.params)
        PhaseMetric.objects.create(phase=phase, metric=each.metric, params=each.params, position=position)
    for position, each in enumerate(plan.references):
        PhaseReferences.objects.create(
            phase=phase, name=each.name, start=each.start, count=each.count, position=position
        )
    return phase


def _check_metric(metric: str, params: dict[str, Any]) -> None:
    try:
        entry = describe_registration(load_metrics().get(metric))
        # A parameter that names a file would let a host read files of the server.
        if files := [each.name for each in entry.parameters if each.path and each.name in params]:
            raise ChallengeRefused(
                f"metric {metric}: the parameter {files[0]} names a file, which challenges do not allow"
            )
        for each in entry.parameters:
            if each.name in params:
                each.read(params[each.name])
        load_metrics().build(metric, **params)
    except (MetricError, ValueError, TypeError) as error:
        raise ChallengeRefused(f"metric {metric}: {error}") from error


def _clone_phase(phase: Phase, challenge: Challenge) -> Phase:
    metrics, references, images = phase.metrics.all(), phase.references.all(), phase.images.all()
    copy = Phase.objects.get(pk=phase.pk)
    copy.pk, copy.challenge = None, challenge
    copy.frozen_at, copy.frozen_board, copy.frozen_digest = None, None, ""
    copy._state.adding = True
    copy.save()
    copy.images.set(images)
    for each in (*metrics, *references):
        each.pk, each.phase = None, copy
        each._state.adding = True
        each.save()
    return copy
