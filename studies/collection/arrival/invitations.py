"""Personal links: each person of a list gets a link that identifies them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collection.arrival.raters import Participant, keep_identity
from studies.enums import AuditAction, PanelKind
from studies.identity_keys import list_lookup_hashes
from studies.models import Identity, Invitation, Study


@dataclass(frozen=True, slots=True)
class Invited:
    """A person and the token of the personal link."""

    participant: Participant
    token: str


@transaction.atomic
def invite(study: Study, people: Iterable[str], *, now: datetime, actor: Actor = COMMAND_LINE) -> list[Invited]:
    """Return a link token for each person; people are named as in the list (a number, an e-mail address).

    People invited before keep their token, so a longer list can be submitted again.

    Raises:
        ValueError: A name is empty, or longer than 200 characters.
    """
    invited, n_new = [], 0
    for person in dict.fromkeys(one.strip() for one in people):
        if not 0 < len(person) <= 200:
            raise ValueError(f"each person must be identified by 1 to 200 characters, got {person!r}")
        participant = Participant(PanelKind.IN_HOUSE, person)
        invitation, is_new = Invitation.objects.get_or_create(
            study=study, identity_hash=keep_identity(participant, now=now), defaults={"created_at": now}
        )
        n_new += is_new
        invited.append(Invited(participant, invitation.token))
    if n_new:
        record_change(study, actor=actor, action=AuditAction.INVITED, now=now, details={"people": n_new})
    return invited


def find_invited(study: Study, token: str) -> Invited | None:
    """Return the person with this token; None if there is none, or if their identity was erased."""
    hashes = list_lookup_hashes("invitation", token)
    invitation = Invitation.objects.filter(study=study, token_hash__in=hashes).first()
    if invitation is None:
        return None
    identity = Identity.objects.filter(identity_hash=invitation.identity_hash).first()
    if identity is None:
        return None
    return Invited(Participant(identity.panel, identity.participant_id), token)
