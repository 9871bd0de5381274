"""Registration of raters under a random pseudonym, and their consent."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Final

from django.db import IntegrityError, transaction

from studies.identity_keys import list_lookup_hashes
from studies.models import Consent, Identity, Rater, Study, StudyVersion
from studies.shared.codes import make_code

_LENGTH: Final = 8
_NONCE: Final = 40


class AlreadyJoined(Exception):
    """The participant is already a rater, and the visitor is not verified to be the same person; nothing was stored."""

    def __init__(self, rater: Rater) -> None:
        super().__init__("this participant has already joined in another browser")
        self.rater = rater


@dataclass(frozen=True, slots=True)
class Participant:
    """A participant as identified by a panel."""

    panel: str
    participant_id: str


def list_identity_hashes(participant: Participant) -> tuple[str, ...]:
    """Return the keyed hashes under which a participant may be stored; new rows use the first one."""
    return list_lookup_hashes("identity", participant.panel, participant.participant_id)


@transaction.atomic
def keep_identity(participant: Participant, *, now: datetime) -> str:
    """Store a participant's identity if it is new, and return the hash under which it is stored."""
    hashes = list_identity_hashes(participant)
    # Locked until the end of the transaction: a key rotation in the meantime would leave an outdated hash.
    known = Identity.objects.select_for_update().filter(identity_hash__in=hashes).first()
    if known is None:
        told = {"panel": participant.panel, "participant_id": participant.participant_id, "created_at": now}
        known, _ = Identity.objects.get_or_create(identity_hash=hashes[0], defaults=told)
    return known.identity_hash


@transaction.atomic
def join_study(
    study: Study,
    *,
    version: StudyVersion,
    now: datetime,
    rng: Random,
    participant: Participant | None = None,
    nonce: str = "",
    may_resume: bool = True,
) -> Rater:
    """Return a rater who has agreed to this version; create one unless the participant already is a rater.

    A form that is sent twice creates one rater, even if both requests arrive at the same time.

    Args:
        version: The version whose consent text the rater agreed to.
        rng: Draws the pseudonym; `secrets.SystemRandom()` outside of tests, so that it cannot be guessed.
        participant: The participant, stored separately from all judgments; None if not identified.
        nonce: The value that `make_nonce` put into the form; empty if there was no form.
        may_resume: Whether an existing rater may continue; if not, only the form that created the rater is accepted
                again, since browsers may send it twice.

    Raises:
        AlreadyJoined: The participant is already a rater and may not continue.
    """
    identity_hash = keep_identity(participant, now=now) if participant else ""
    # The identity has priority over the nonce: on a shared computer, two people may send the same form.
    known = {"identity_hash": identity_hash} if identity_hash else {"join_nonce": nonce} if nonce else {}
    form = {"join_nonce": _bind(nonce or make_nonce(), identity_hash)} if identity_hash else {}
    rater = _find_rater(study, known) or _create_rater(study, known, form, now=now, rng=rng)
    if identity_hash and not may_resume and rater.join_nonce != form["join_nonce"]:
        raise AlreadyJoined(rater)
    give_consent(rater, version=version, now=now)
    return rater


def _bind(nonce: str, identity_hash: str) -> str:
    """Return the stored form of a nonce, which depends on the participant: others may send the same form."""
    return hashlib.sha256(f"{nonce}/{identity_hash}".encode()).hexdigest()[:_NONCE]


def make_nonce() -> str:
    """Return a nonce for a consent form, which makes submitting the form idempotent."""
    return secrets.token_urlsafe(16)


def give_consent(rater: Rater, *, version: StudyVersion, now: datetime) -> None:
    """Record that the rater agreed to the consent text of a version; the first time counts."""
    Consent.objects.get_or_create(rater=rater, version=version, defaults={"given_at": now})


def store_language(rater: Rater, language: str) -> None:
    """Store the language of the pages shown to the rater, if it has changed."""
    if rater.language != language:
        Rater.objects.filter(pk=rater.pk).update(language=language)


def has_consented(rater: Rater, *, version: StudyVersion) -> bool:
    """Whether the rater agreed to this version's consent text, possibly in an earlier version."""
    agreed = Consent.objects.filter(rater=rater).select_related("version")
    return any(consent.version.design.get("consent") == version.design.get("consent") for consent in agreed)


def _find_rater(study: Study, known: Mapping[str, str]) -> Rater | None:
    return Rater.objects.filter(study=study, **known).first() if known else None


def _create_rater(
    study: Study, known: Mapping[str, str], form: Mapping[str, str], *, now: datetime, rng: Random
) -> Rater:
    """Create a rater; if two requests create the same participant at once, both return the same one."""
    while True:
        pseudonym = make_code(rng, length=_LENGTH)
        try:
            with transaction.atomic():
                return Rater.objects.create(study=study, pseudonym=pseudonym, joined_at=now, **known, **form)
        except IntegrityError:
            # Either the pseudonym is taken, and another one is tried, or the participant has just been created.
            rater = _find_rater(study, known)
            if rater:
                return rater
