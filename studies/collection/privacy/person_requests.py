"""Data subject requests: the operator finds or erases a person's data by panel and participant id.

This is the only code that links ids with pseudonyms and answers, so every access is recorded as an event.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db.models import QuerySet

from studies.access.audit import Actor, record_event
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.privacy.erasure import erase_identities
from studies.collection.privacy.erasure_log import commit_erasures
from studies.collection.privacy.withdrawal import withdraw
from studies.enums import AuditAction, RaterOutcome
from studies.models import Consent, Identity, Invitation, Judgment, Payment, Rater, RaterEvent, Study, Submission


@dataclass(frozen=True, slots=True)
class StoredInStudy:
    """The data of a person stored in one study.

    Attributes:
        study: Its name.
        title: Its title.
        pseudonym: The pseudonym of the rater; empty for a person who was invited but never joined.
        facts: All stored data, as JSON.
    """

    study: str
    title: str
    pseudonym: str
    facts: Mapping[str, Any]

    @property
    def n_judgments(self) -> int:
        return len(self.facts["judgments"])


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """The data of a person stored on the platform; `studies` is empty if there are none."""

    participant: Participant
    since: datetime
    studies: tuple[StoredInStudy, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all data as JSON, for the file given to the person."""
        return {
            "panel": self.participant.panel,
            "id": self.participant.participant_id,
            "stored_since": self.since.isoformat(),
            "studies": [{"study": one.study, "title": one.title, **one.facts} for one in self.studies],
        }


def find_person(participant: Participant, *, actor: Actor, action: AuditAction, now: datetime) -> StoredPerson | None:
    """Return the stored data of a person, None if there are none; the access is recorded without their identity.

    Args:
        participant: The panel and participant id.
        actor: The account that makes the request.
        action: The purpose: PERSON_SOUGHT or PERSON_EXPORTED.
    """
    hashes = list_identity_hashes(participant)
    since = _list_identities(hashes).values_list("created_at", flat=True).first()
    found = None
    if since is not None:
        stored = (each for study in _list_studies(hashes) for each in _gather(study, hashes))
        found = StoredPerson(participant, since, tuple(stored))
    details = {"page": "requests", "panel": participant.panel, "studies": len(found.studies) if found else 0}
    record_event(actor=actor, action=action, now=now, details=details)
    return found


@commit_erasures()
def erase_person(
    participant: Participant, *, erase_judgments: bool, actor: Actor, now: datetime, rng: Random
) -> tuple[str, ...]:
    """Erase a person from every study, as by withdrawing from each; return the receipts.

    Raises:
        LogUnwritable: The log of erasures cannot be written; nothing is erased then.
    """
    hashes = list_identity_hashes(participant)
    if not _list_identities(hashes).exists():
        return ()
    studies = list(_list_studies(hashes))
    raters = Rater.objects.filter(identity_hash__in=hashes).exclude(outcome=RaterOutcome.WITHDRAWN)
    receipts = [
        withdraw(rater, erase_judgments=erase_judgments, now=now, rng=rng).code
        for rater in raters.select_related("study").order_by("pk")
        # Raters of one study who are the same person are withdrawn together, with the first of them.
        if raters.filter(pk=rater.pk).exists()
    ]
    for study in studies:
        # People who were invited but never joined are not raters.
        erase_identities(hashes, study=study, now=now)
    details = {"page": "requests", "panel": participant.panel, "studies": len(studies), "answers": erase_judgments}
    record_event(actor=actor, action=AuditAction.PERSON_ERASED, now=now, details=details)
    return tuple(receipts)


def _list_identities(hashes: Sequence[str]) -> QuerySet[Identity]:
    """Return the person's identities, oldest first; servers with different keys may have created several."""
    return Identity.objects.filter(identity_hash__in=hashes).order_by("created_at", "pk")


def _list_studies(hashes: Sequence[str]) -> Iterable[Study]:
    known = {
        pk
        for model in (Rater, Submission, Invitation)
        for pk in model._default_manager.filter(identity_hash__in=hashes).values_list("study", flat=True)
    }
    return Study.objects.filter(pk__in=known).order_by("name")


def _gather(study: Study, hashes: Sequence[str]) -> list[StoredInStudy]:
    """Return the data that a study stores under each of these hashes."""
    known = {
        one
        for model in (Rater, Submission, Invitation)
        for one in model._default_manager.filter(study=study, identity_hash__in=hashes).values_list(
            "identity_hash", flat=True
        )
    }
    return [_gather_one(study, one) for one in hashes if one in known]


def _gather_one(study: Study, identity_hash: str) -> StoredInStudy:
    rater = Rater.objects.filter(study=study, identity_hash=identity_hash).first()
    visits = Submission.objects.filter(study=study, identity_hash=identity_hash)
    invitations = Invitation.objects.filter(study=study, identity_hash=identity_hash)
    facts: dict[str, Any] = {
        "rater": _describe(rater, "pseudonym", "joined_at", "finished_at", "outcome", "language") if rater else None,
        "invitations": [_describe(one, "created_at", "used_at") for one in invitations],
        # Without the completion code, which belongs to the study.
        "visits": [
            _describe(one, "panel", "session_id", "parameters", "outcome", "started_at", "ended_at") for one in visits
        ],
        "consents": [
            {"version": one.version.number, "text": one.version.design.get("consent", ""), **_describe(one, "given_at")}
            for one in Consent.objects.filter(rater=rater).select_related("version")
        ],
        "judgments": [
            {
                "item": one.item.key,
                **_describe(one, "value", "answer", "elapsed_ms", "created_at"),
                "before": [_describe(was, "value", "answer", "created_at") for was in one.revisions.all()],
            }
            for one in Judgment.objects.filter(rater=rater).select_related("item").prefetch_related("revisions")
        ],
        "payments": [
            _describe(one, "amount", "currency", "reason", "decided_at", "paid_at")
            for one in Payment.objects.filter(rater=rater)
        ],
        "exclusions": [
            _describe(one, "rule", "reason", "decided_at", "lifted_at") for one in _list_of(rater, "exclusions")
        ],
        "qualification": [
            _describe(one, "number", "n_right", "n_items", "passed", "ended_at")
            for one in _list_of(rater, "qualification_attempts")
        ],
        "events": [_describe(one, "kind", "details", "at") for one in RaterEvent.objects.filter(rater=rater)]
        if rater
        else [],
    }
    return StoredInStudy(study.name, study.title, rater.pseudonym if rater else "", facts)


def _list_of(rater: Rater | None, name: str) -> Iterable[Any]:
    return getattr(rater, name).all() if rater else ()


def _describe(row: Any, *names: str) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in names}
    return {name: value if _is_json(value) else str(value) for name, value in values.items()}


def _is_json(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool | dict | list)
