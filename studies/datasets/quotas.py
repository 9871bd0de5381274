"""Quotas of an account on this site: the number of studies, and the bytes of files."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Sum

from studies.access.audit import Actor
from studies.access.offers import accept_offer
from studies.datasets.staged_uploads import measure_uploads
from studies.enums import Interface
from studies.models import Dataset, Study, StudyOffer
from studies.shared.errors import ImportFailed, Unquoted

_ACCOUNT = "your account"


def check_new_study(owner: Any | None, *, actor: Actor, dataset: Dataset | None = None) -> None:
    """Raise ImportFailed if an account has no quota for another study; every way to create a study calls this.

    Call it within the transaction that creates the study: concurrent requests for one account are serialized. Commands
    have no limit, since whoever may run one administers the server.

    Args:
        owner: The future owner of the study.
        actor: The account that creates it, and its interface.
        dataset: An existing dataset that the study uses; its bytes count if the account has no other study with it.
    """
    if owner is None or actor.interface == Interface.COMMAND:
        return
    _lock(owner)
    is_new = dataset is not None and not Study.objects.filter(owner=owner, dataset=dataset).exists()
    check_room(owner, n_bytes=dataset.n_bytes if dataset is not None and is_new else 0)


@transaction.atomic
def accept_within_quota(offer: StudyOffer, *, actor: Actor, now: datetime) -> Study:
    """Accept an offered study as `accept_offer` does, if the account has quota for it.

    Raises:
        ImportFailed: The quota is used up.
        CannotChangeMembers: The offer is for another account, or no longer open.
    """
    check_new_study(offer.offered_to, actor=actor, dataset=offer.study.dataset)
    return accept_offer(offer, actor=actor, now=now)


def check_room(user: Any | None, *, n_bytes: int = 0, n_studies: int = 1) -> None:
    """Raise ImportFailed if so many more studies or bytes exceed the quota of an account.

    Within a transaction, concurrent calls for one account are serialized. 0 in the settings means no limit.
    """
    if user is None:
        return
    _lock(user)
    most: int = settings.ACCORDANCE_ACCOUNT_STUDIES
    if most and n_studies:
        n_owned = Study.objects.filter(owner=user).count()
        if n_owned + n_studies > most:
            rule = f"may own at most {most:,} studies; ask the operator for a higher limit"
            raise ImportFailed(_ACCOUNT, rule, got=Unquoted(f"{n_owned:,}"))
    if n_bytes:
        check_bytes(user, n_bytes=n_bytes)


def check_bytes(user: Any, *, n_bytes: int) -> None:
    """Raise ImportFailed if so many more bytes exceed the quota of an account."""
    most: int = settings.ACCORDANCE_ACCOUNT_MB << 20
    if not most:
        return
    of_studies = Dataset.objects.filter(pk__in=Study.objects.filter(owner=user).values("dataset"))
    kept = (of_studies.aggregate(sum=Sum("n_bytes"))["sum"] or 0) + measure_uploads(user)
    if kept + n_bytes > most:
        rule = f"may store at most {most >> 20:,} MB in studies and uploads; ask the operator for a higher limit"
        raise ImportFailed(_ACCOUNT, rule, got=Unquoted(f"{(kept + n_bytes) / 2**20:,.1f} with these files"))


def _lock(user: Any) -> None:
    get_user_model()._default_manager.select_for_update().filter(pk=user.pk).first()
