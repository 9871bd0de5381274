"""The actions of hosts on a challenge; each is recorded in its transaction and shown with its reason."""

from datetime import datetime

from django.db import transaction

from challenges.board.freezing import freeze_board
from challenges.board.interval_jobs import queue_intervals
from challenges.enums import ChallengeAction, ChallengeState, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.hosting.events import check_reason, record_event
from challenges.human.criteria import CRITERIA
from challenges.models import Challenge, Phase, Submission, Team, TeamLimit
from challenges.models.submission import REMOVED_BASELINE
from challenges.submissions.scoring import find_images, select_references
from challenges.submissions.scoring_jobs import queue_scoring
from jobs.errors import JobUnderWay
from studies.access.audit import Actor
from studies.models import Study


def find_problems(challenge: Challenge, *, now: datetime) -> list[str]:
    """Return what prevents the opening of a challenge, without changing anything."""
    problems = [] if challenge.phases.exists() else ["it has no phase"]
    for phase in challenge.phases.all():
        if phase.closes_at <= now:
            problems.append(f"phase {phase.slug}: it has already ended")
        if not phase.metrics.exists() or not phase.references.exists():
            problems.append(f"phase {phase.slug}: it needs metrics and references")
        n_images = find_images(phase).count()
        problems += [
            f"phase {phase.slug}: none of {n_images} images has the references {references.name}"
            for references in phase.references.all()
            if not select_references(references)
        ]
    owners = {challenge.owner_id, *challenge.hosts.values_list("pk", flat=True)}
    for study in Study.objects.filter(dataset=challenge.dataset_id):
        if _list_people(study) - owners:
            problems.append(f"study {study.name}: people who are not hosts can see the references of its dataset")
    showing = [name for name, criterion in CRITERIA.items() if criterion.shows_people]
    for study in Study.objects.filter(human_study__phase__challenge=challenge, human_study__criterion__in=showing):
        if _list_people(study) - owners:
            problems.append(
                f"study {study.name}: people who are not hosts can see its human captions, which are references"
            )
    return problems


def _list_people(study: Study) -> set[int | None]:
    return {study.owner_id, *study.members.values_list("pk", flat=True)} - {None}


@transaction.atomic
def open_challenge(challenge: Challenge, *, actor: Actor, now: datetime) -> None:
    """Open a draft, or a closed challenge again.

    Raises:
        ChallengeRefused: It is open, or has problems.
    """
    locked = Challenge.objects.select_for_update().get(pk=challenge.pk)
    if locked.state == ChallengeState.OPEN:
        raise ChallengeRefused("the challenge is open already")
    if problems := find_problems(locked, now=now):
        raise ChallengeRefused("the challenge cannot be opened: " + "; ".join(problems))
    _set_state(challenge, ChallengeState.OPEN, action=ChallengeAction.OPENED, actor=actor, now=now)


@transaction.atomic
def close_challenge(challenge: Challenge, *, reason: str, actor: Actor, now: datetime) -> None:
    """Accept no submissions any more, in any phase."""
    _set_state(
        challenge,
        ChallengeState.CLOSED,
        action=ChallengeAction.CLOSED,
        actor=actor,
        now=now,
        reason=check_reason(reason),
    )


@transaction.atomic
def extend_deadline(phase: Phase, *, closes_at: datetime, reason: str, actor: Actor, now: datetime) -> None:
    """Close a phase later.

    Raises:
        ChallengeRefused: The date is not later than the present one, the board is final, or there is no reason.
    """
    told = check_reason(reason)
    locked = Phase.objects.select_for_update().get(pk=phase.pk)
    if locked.frozen_at is not None:
        raise ChallengeRefused("the leaderboard of the phase is final")
    if closes_at <= locked.closes_at:
        raise ChallengeRefused(f"the deadline must be after the present one, {locked.closes_at:%Y-%m-%d %H:%M} (UTC)")
    details = {"phase": phase.slug, "was": locked.closes_at.isoformat(), "is": closes_at.isoformat()}
    phase.closes_at = closes_at
    phase.save(update_fields=["closes_at"])
    action = ChallengeAction.DEADLINE_EXTENDED
    record_event(phase.challenge, actor=actor, action=action, now=now, reason=told, details=details)


@transaction.atomic
def raise_limit(
    phase: Phase, *, team: Team, per_day: int, in_all: int, reason: str, actor: Actor, now: datetime
) -> TeamLimit:
    """Give one team higher limits in a phase.

    Raises:
        ChallengeRefused: A limit is below that of the phase, the team is of another challenge, or there is no reason.
    """
    told = check_reason(reason)
    if team.challenge_id != phase.challenge_id:
        raise ChallengeRefused("the team belongs to another challenge")
    if per_day < phase.per_day or in_all < phase.in_all:
        raise ChallengeRefused(f"the limits may not be below those of the phase, {phase.per_day} and {phase.in_all}")
    limit, _ = TeamLimit.objects.update_or_create(
        phase=phase, team=team, defaults={"per_day": per_day, "in_all": in_all, "reason": told}
    )
    details = {"phase": phase.slug, "team": team.pk, "per_day": per_day, "in_all": in_all}
    action = ChallengeAction.LIMIT_RAISED
    record_event(phase.challenge, actor=actor, action=action, now=now, reason=told, details=details)
    return limit


@transaction.atomic
def disqualify(submission: Submission, *, reason: str, actor: Actor, now: datetime) -> None:
    """Take a submission off the board; it counts towards the limits.

    Raises:
        ChallengeRefused: It is a baseline, or there is no reason.
    """
    told = check_reason(reason)
    _mark(submission, because=told, reason=told, action=ChallengeAction.DISQUALIFIED, actor=actor, now=now)


@transaction.atomic
def reinstate(submission: Submission, *, reason: str, actor: Actor, now: datetime) -> None:
    """Put a disqualified submission back on the board.

    Raises:
        ChallengeRefused: It is a baseline, or there is no reason.
    """
    told = check_reason(reason)
    _mark(submission, because="", reason=told, action=ChallengeAction.REINSTATED, actor=actor, now=now)


@transaction.atomic
def rescore(phase: Phase, *, reason: str, actor: Actor, now: datetime) -> int:
    """Queue all scored submissions of a phase again, which keep their scores until then; return how many they are.

    Raises:
        ChallengeRefused: The board is final, or there is no reason.
    """
    told = check_reason(reason)
    if phase.frozen_at is not None:
        raise ChallengeRefused("the leaderboard of the phase is final")
    n_queued = 0
    for submission in phase.submissions.filter(~REMOVED_BASELINE, state=SubmissionState.SCORED).order_by("pk"):
        try:
            queue_scoring(submission, now=now, again=True)
        except JobUnderWay:
            continue
        n_queued += 1
    details = {"phase": phase.slug, "submissions": n_queued}
    action = ChallengeAction.RESCORED
    record_event(phase.challenge, actor=actor, action=action, now=now, reason=told, details=details)
    return n_queued


@transaction.atomic
def make_final(phase: Phase, *, actor: Actor, now: datetime) -> str:
    """Store the leaderboard of a phase that is over for good; return its SHA-256.

    Raises:
        ChallengeRefused: The phase is not over, a submission is on the way, or the board is final already.
    """
    digest = freeze_board(phase, now=now)
    details = {"phase": phase.slug, "digest": digest}
    record_event(phase.challenge, actor=actor, action=ChallengeAction.MADE_FINAL, now=now, details=details)
    return digest


def _set_state(
    challenge: Challenge,
    state: ChallengeState,
    *,
    action: ChallengeAction,
    actor: Actor,
    now: datetime,
    reason: str = "",
) -> None:
    challenge.state = state
    challenge.save(update_fields=["state"])
    record_event(challenge, actor=actor, action=action, now=now, reason=reason)


def _mark(
    submission: Submission, *, because: str, reason: str, action: ChallengeAction, actor: Actor, now: datetime
) -> None:
    if submission.is_baseline:
        raise ChallengeRefused("a baseline of the hosts is removed, and added again")
    submission.disqualified_because = because
    submission.save(update_fields=["disqualified_because"])
    queue_intervals(submission.phase, now=now)
    details = {"phase": submission.phase.slug, "team": submission.team_id, "submission": submission.token}
    record_event(submission.team.challenge, actor=actor, action=action, now=now, reason=reason, details=details)
