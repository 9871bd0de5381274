"""Transfers of ownership: a study is offered to another person, who accepts or declines."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from studies.access.audit import Actor, record_change
from studies.access.members import CannotChangeMembers, find_user
from studies.access.terms import read_offer_term
from studies.enums import AuditAction, MemberRole
from studies.models import Study, StudyMember, StudyOffer


@transaction.atomic
def offer_study(study: Study, *, username: str, actor: Actor, now: datetime) -> StudyOffer:
    """Offer the study to another person.

    Raises:
        CannotChangeMembers: No active account has this name, it already owns the study, or another offer is open.
        ValueError: The actor is not a person.
    """
    if actor.user is None:
        raise ValueError("only a user can offer a study, got no user")
    user = find_user(username)
    if Study.objects.select_for_update().get(pk=study.pk).owner_id == user.pk:
        raise CannotChangeMembers(f"{username} already owns the study")
    is_open = find_offer(study, now=now)
    if is_open:
        raise CannotChangeMembers(
            f"the study has already been offered to {is_open.offered_to.get_username()}; withdraw that offer first"
        )
    # Delete an offer that is no longer open.
    StudyOffer.objects.filter(study=study).delete()
    end = read_offer_term().find_end(None, now=now)
    try:
        with transaction.atomic():
            made = StudyOffer.objects.create(
                study=study, offered_to=user, offered_by=actor.user, offered_at=now, expires_at=end
            )
    except IntegrityError as error:
        raise CannotChangeMembers("the study was offered to somebody else at the same time") from error
    details = {"to": user.get_username(), "until": f"{end:%Y-%m-%d}"}
    record_change(study, actor=actor, action=AuditAction.OWNER_OFFERED, now=now, details=details)
    return made


def find_offer(study: Study, *, now: datetime) -> StudyOffer | None:
    """Return the open offer of a study; None if there is none."""
    return _list_open(now).filter(study=study).first()


def list_offers(user: Any, *, now: datetime) -> QuerySet[StudyOffer]:
    """Return the offers that a person may accept or decline."""
    return _list_open(now).filter(offered_to=user).order_by("pk")


@transaction.atomic
def withdraw_offer(study: Study, *, actor: Actor, now: datetime) -> None:
    """Withdraw the offer of a study.

    Raises:
        CannotChangeMembers: No offer is open.
    """
    offer = find_offer(study, now=now)
    if offer is None or not _end(offer):
        raise CannotChangeMembers("there is no open offer for the study")
    _record(offer, actor=actor, action=AuditAction.OFFER_WITHDRAWN, now=now)


def end_offers(user: Any, *, actor: Actor, now: datetime) -> None:
    """Withdraw all offers by a person, open or not; call it in a transaction."""
    for offer in StudyOffer.objects.filter(offered_by=user).select_related("study", "offered_to"):
        if _end(offer):
            _record(offer, actor=actor, action=AuditAction.OFFER_WITHDRAWN, now=now)


@transaction.atomic
def decline_offer(offer: StudyOffer, *, actor: Actor, now: datetime) -> None:
    """Decline an offer; `actor` is the person to whom the study was offered.

    Raises:
        CannotChangeMembers: The offer is for another person, or no longer open.
    """
    _record(_take(offer, actor=actor, now=now), actor=actor, action=AuditAction.OFFER_DECLINED, now=now)


@transaction.atomic
def accept_offer(offer: StudyOffer, *, actor: Actor, now: datetime) -> Study:
    """Make the actor, to whom the study was offered, its owner; the previous owner becomes an editor.

    Raises:
        CannotChangeMembers: The offer is for another person, or no longer open.
    """
    study = Study.objects.select_for_update().get(pk=offer.study_id)
    taken = _take(offer, actor=actor, now=now)
    before = study.owner
    StudyMember.objects.filter(study=study, user=taken.offered_to).delete()
    if before is not None:
        StudyMember.objects.update_or_create(study=study, user=before, defaults={"role": MemberRole.EDITOR})
    study.owner = taken.offered_to
    study.save(update_fields=["owner"])
    details = {"was": before.get_username() if before else "", "owner": study.owner.get_username()}
    record_change(study, actor=actor, action=AuditAction.OFFER_ACCEPTED, now=now, details=details)
    return study


def _list_open(now: datetime) -> QuerySet[StudyOffer]:
    # Ignore offers by people who no longer own the study.
    may_offer = Q(offered_by__is_superuser=True) | Q(study__owner=F("offered_by"))
    offers = StudyOffer.objects.filter(may_offer, offered_by__is_active=True, expires_at__gt=now)
    return offers.select_related("study", "offered_to", "offered_by")


def _take(offer: StudyOffer, *, actor: Actor, now: datetime) -> StudyOffer:
    taken = list_offers(actor.user, now=now).filter(pk=offer.pk).first() if actor.user is not None else None
    if taken is None or not _end(taken):
        raise CannotChangeMembers("the offer does not exist or has expired")
    return taken


def _end(offer: StudyOffer) -> bool:
    # Of two concurrent answers, only one deletes the row.
    return bool(StudyOffer.objects.filter(pk=offer.pk).delete()[0])


def _record(offer: StudyOffer, *, actor: Actor, action: AuditAction, now: datetime) -> None:
    details = {"to": offer.offered_to.get_username()}
    record_change(offer.study, actor=actor, action=action, now=now, details=details)
