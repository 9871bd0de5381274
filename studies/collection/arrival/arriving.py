"""Raters arrive from a panel and go back to it: one submission for each visit that the panel counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.assigning import StageName, begin_session, find_stage
from studies.enums import EventKind, PanelKind, RaterOutcome, TaskRole
from studies.identity_keys import list_lookup_hashes, make_lookup_hash
from studies.models import Assignment, Invitation, Rater, RaterEvent, Study, Submission


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who comes, as the panel says.

    Attributes:
        panel: Which panel.
        participant: Who it is.
        session_id: The panel's id of this visit.
        parameters: What else the panel sent and needs back.
        is_proven: Whether nobody else can have sent this: the panel signed it, or it is a personal link.
    """

    panel: PanelKind
    participant: Participant
    session_id: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    is_proven: bool = False


class SessionOfAnother(Exception):
    """The panel's session belongs to somebody else; the message tells the rater what to do."""


def find_arrived(study: Study, arrival: Arrival) -> Rater | None:
    """Return the rater that the participant already is in this study."""
    return Rater.objects.filter(study=study, identity_hash__in=list_identity_hashes(arrival.participant)).first()


def may_resume(arrival: Arrival, *, study: Study, rater: Rater | None) -> bool:
    """Whether who comes may go on as the rater whom the panel names, with the browser of `rater`.

    An id alone tells nothing: panels show them, and other people can know them.
    """
    return arrival.is_proven or (rater is not None and rater == find_arrived(study, arrival))


def find_session(study_id: int, panel: PanelKind, session_id: str) -> Submission | None:
    """Return the submission of a visit, by the panel's id of it."""
    hashes = list_lookup_hashes("session", panel, session_id)
    return Submission.objects.filter(study_id=study_id, session_hash__in=hashes).first()


@transaction.atomic
def record_arrival(rater: Rater, arrival: Arrival, *, now: datetime) -> Submission:
    """Return the submission of this visit: a new one, or the one that was opened before.

    A new one ends a pause, since where a panel counts visits each session is one.

    Raises:
        SessionOfAnother: The session was opened by somebody else; an address was copied.
    """
    submission, is_new = find_session(rater.study_id, arrival.panel, arrival.session_id), False
    if submission is None:
        submission, is_new = _open_submission(rater, arrival, now=now)
    if submission.identity_hash != rater.identity_hash:
        raise SessionOfAnother(
            gettext(
                "This address belongs to somebody else's visit. Please open the study again from the panel's own page."
            )
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
    """Return the rater's latest visit from a panel; None if nobody said who it is."""
    if not rater.identity_hash:
        return None
    return Submission.objects.filter(study_id=rater.study_id, identity_hash=rater.identity_hash).last()


def name_end(rater: Rater, submission: Submission | None, *, outcome: RaterOutcome) -> RaterOutcome:
    """Return how a visit ends of a rater whose part has ended with this outcome.

    A visit in which nothing was answered has not finished anything, whatever the rater did in an earlier one.
    """
    if submission is None or outcome not in (RaterOutcome.FINISHED, RaterOutcome.CUT_SHORT):
        return outcome
    if submission.outcome == RaterOutcome.FINISHED:
        # A session before was whole, in a panel that counts all sessions as one visit.
        return RaterOutcome.FINISHED
    answered = Assignment.objects.filter(rater=rater, submitted_at__gte=submission.started_at)
    return outcome if answered.filter(task__role=TaskRole.MAIN).exists() else RaterOutcome.NO_TASKS


def end_submission(submission: Submission, *, outcome: RaterOutcome, code: str, now: datetime) -> None:
    """Record how a visit ended and which code was shown; the first end counts, but for one without any task left.

    Who found none may come back within the same visit, when one has become free.
    """
    open_end = Q(ended_at=None) | Q(outcome__in=(RaterOutcome.NO_TASKS, RaterOutcome.CUT_SHORT))
    ended = Submission.objects.filter(open_end, pk=submission.pk).exclude(outcome=outcome)
    if ended.update(outcome=outcome, code=code, ended_at=now):
        submission.refresh_from_db()
