"""Raters join a study under a random pseudonym and agree to its terms."""

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
    """The participant is a rater already, and nothing shows that it is the same person; nothing was stored."""

    def __init__(self, rater: Rater) -> None:
        super().__init__("this participant has joined before, in another browser")
        self.rater = rater


@dataclass(frozen=True, slots=True)
class Participant:
    """Who a panel says a rater is."""

    panel: str
    participant_id: str


def list_identity_hashes(participant: Participant) -> tuple[str, ...]:
    """Return the keyed hashes under which a participant may be stored; new rows get the first of them."""
    return list_lookup_hashes("identity", participant.panel, participant.participant_id)


@transaction.atomic
def keep_identity(participant: Participant, *, now: datetime) -> str:
    """Store who a participant is, if that is not known yet, and return the hash under which it is stored."""
    hashes = list_identity_hashes(participant)
    # Held until the caller's transaction ends: a change of the key in the meantime would leave the hash behind.
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
    """Return a rater who has agreed to this version: a new one, or the one that the participant already is.

    A form that is sent twice makes one rater, also where both come in at the same moment.

    Args:
        study: The study joined.
        version: Whose consent text the rater agreed to.
        now: When.
        rng: Makes the pseudonym; `secrets.SystemRandom()` outside of tests, so that nobody can guess one.
        participant: Who a panel says it is. Kept apart from all judgments; None if nobody said.
        nonce: What `make_nonce` put into the form; empty if there was no form.
        may_resume: Whether a participant who is a rater already may go on; else only by the form that made the rater,
            which browsers send twice.

    Raises:
        AlreadyJoined: The participant is a rater already, and may not go on.
    """
    identity_hash = keep_identity(participant, now=now) if participant else ""
    # Who it is goes before which form it was: two people may send one form from a shared computer.
    known = {"identity_hash": identity_hash} if identity_hash else {"join_nonce": nonce} if nonce else {}
    form = {"join_nonce": _bind(nonce or make_nonce(), identity_hash)} if identity_hash else {}
    rater = _find_rater(study, known) or _create_rater(study, known, form, now=now, rng=rng)
    if identity_hash and not may_resume and rater.join_nonce != form["join_nonce"]:
        raise AlreadyJoined(rater)
    give_consent(rater, version=version, now=now)
    return rater


def _bind(nonce: str, identity_hash: str) -> str:
    """Return what is kept of a form that one participant sent: another may send the same."""
    return hashlib.sha256(f"{nonce}/{identity_hash}".encode()).hexdigest()[:_NONCE]


def make_nonce() -> str:
    """Return what a consent form carries so that it joins once however often it is sent."""
    return secrets.token_urlsafe(16)


def give_consent(rater: Rater, *, version: StudyVersion, now: datetime) -> None:
    """Record that the rater agreed to the consent text of a version; the first time counts."""
    Consent.objects.get_or_create(rater=rater, version=version, defaults={"given_at": now})


def store_language(rater: Rater, language: str) -> None:
    """Keep the language of the pages that the rater is shown now; nothing is written where it is known."""
    if rater.language != language:
        Rater.objects.filter(pk=rater.pk).update(language=language)


def has_consented(rater: Rater, *, version: StudyVersion) -> bool:
    """Whether the rater agreed to the words that this version has for its consent text, be it in an earlier version."""
    agreed = Consent.objects.filter(rater=rater).select_related("version")
    return any(consent.version.design.get("consent") == version.design.get("consent") for consent in agreed)


def _find_rater(study: Study, known: Mapping[str, str]) -> Rater | None:
    return Rater.objects.filter(study=study, **known).first() if known else None


def _create_rater(
    study: Study, known: Mapping[str, str], form: Mapping[str, str], *, now: datetime, rng: Random
) -> Rater:
    """Create a rater; where two requests create the same participant at once, both return the same one."""
    while True:
        pseudonym = make_code(rng, length=_LENGTH)
        try:
            with transaction.atomic():
                return Rater.objects.create(study=study, pseudonym=pseudonym, joined_at=now, **known, **form)
        except IntegrityError:
            # Either the pseudonym is taken, then another is tried, or the participant came in meanwhile.
            rater = _find_rater(study, known)
            if rater:
                return rater
