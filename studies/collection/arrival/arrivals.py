"""Arrivals from panels, with one submission for each visit that the panel counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.assignment import StageName, begin_session, find_stage
from studies.enums import EventKind, PanelKind, RaterOutcome, TaskRole
from studies.identity_keys import list_lookup_hashes, make_lookup_hash
from studies.models import Assignment, Invitation, Rater, RaterEvent, Study, Submission


@dataclass(frozen=True, slots=True)
class Arrival:
    """The data that a panel sends about an arriving participant.

    Attributes:
        panel: The panel.
        participant: The panel's id of the participant.
        session_id: The panel's id of this visit.
        parameters: Further values that the panel sent and needs back.
        is_proven: Whether the identity is verified: signed by the panel, or by a personal link.
    """

    panel: PanelKind
    participant: Participant
    session_id: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    is_proven: bool = False


class SessionOfAnother(Exception):
    """The panel's session belongs to another rater; the message tells the rater what to do."""


def find_arrived(study: Study, arrival: Arrival) -> Rater | None:
    """Return the rater of this participant in the study; None if there is none yet."""
    return Rater.objects.filter(study=study, identity_hash__in=list_identity_hashes(arrival.participant)).first()


def may_resume(arrival: Arrival, *, study: Study, rater: Rater | None) -> bool:
    """Whether the visitor may continue as the rater named by the panel; `rater` is the one known to the browser.

    The panel's id alone is not enough: panels display it, and others may know it.
    """
    return arrival.is_proven or (rater is not None and rater == find_arrived(study, arrival))


def find_session(study_id: int, panel: PanelKind, session_id: str) -> Submission | None:
    """Return the submission of a visit, by the panel's session id."""
    hashes = list_lookup_hashes("session", panel, session_id)
    return Submission.objects.filter(study_id=study_id, session_hash__in=hashes).first()


@transaction.atomic
def record_arrival(rater: Rater, arrival: Arrival, *, now: datetime) -> Submission:
    """Return the submission of this visit, creating it if needed.

    A new submission ends a pause, since each visit is a session where the panel counts visits.

    Raises:
        SessionOfAnother: The session was opened by another rater, for instance because an address was copied.
    """
    submission, is_new = find_session(rater.study_id, arrival.panel, arrival.session_id), False
    if submission is None:
        submission, is_new = _open_submission(rater, arrival, now=now)
    if submission.identity_hash != rater.identity_hash:
        raise SessionOfAnother(
            gettext("This address belongs to another person's visit. Please open the study again from the panel.")
        )
    if arrival.panel == PanelKind.IN_HOUSE:
        used = Invitation.objects.filter(study_id=rater.study_id, identity_hash=rater.identity_hash, used_at=None)
        used.update(used_at=now)
    if is_new and find_stage(rater).name == StageName.PAUSE:
        begin_session(rater, now=now)
    elif not is_new:
        RaterEvent.objects.create(study_id=rater.study_id, rater=rater, kind=EventKind.REOPENED, at=now)
    return submission


def _open_submission(rater: Rater, arrival: Arrival, *, now: datetime) -> tuple[Submission, bool]:
    return Submission.objects.get_or_create(
        study_id=rater.study_id,
        session_hash=make_lookup_hash("session", arrival.panel, arrival.session_id),
        defaults={
            "panel": arrival.panel,
            "session_id": arrival.session_id,
            "identity_hash": rater.identity_hash,
            "parameters": dict(arrival.parameters),
            "started_at": now,
        },
    )


def find_submission(rater: Rater) -> Submission | None:
    """Return the rater's latest submission; None if no panel identified the rater."""
    if not rater.identity_hash:
        return None
    return Submission.objects.filter(study_id=rater.study_id, identity_hash=rater.identity_hash).last()


def name_end(rater: Rater, submission: Submission | None, *, outcome: RaterOutcome) -> RaterOutcome:
    """Return the outcome of a visit of a rater whose participation has ended with `outcome`.

    A visit without any answer is not finished, whatever the rater did in earlier visits.
    """
    if submission is None or outcome not in (RaterOutcome.FINISHED, RaterOutcome.CUT_SHORT):
        return outcome
    if submission.outcome == RaterOutcome.FINISHED:
        # An earlier session was complete, in a panel that counts all sessions as one visit.
        return RaterOutcome.FINISHED
    answered = Assignment.objects.filter(rater=rater, submitted_at__gte=submission.started_at)
    return outcome if answered.filter(task__role=TaskRole.MAIN).exists() else RaterOutcome.NO_TASKS


def end_submission(submission: Submission, *, outcome: RaterOutcome, code: str, now: datetime) -> None:
    """Record the outcome of a visit and the code shown; the first outcome counts, unless no task was left.

    A rater for whom no task was left may continue in the same visit when one has become free.
    """
    open_end = Q(ended_at=None) | Q(outcome__in=(RaterOutcome.NO_TASKS, RaterOutcome.CUT_SHORT))
    ended = Submission.objects.filter(open_end, pk=submission.pk).exclude(outcome=outcome)
    if ended.update(outcome=outcome, code=code, ended_at=now):
        submission.refresh_from_db()
