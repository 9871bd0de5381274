"""Key rotation: personal data are encrypted and hashed again under the newest key."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Final

from django.db import transaction
from django.db.models import Model

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.models import Identity, Invitation, Rater, Submission

_LEADING_ACROSS: Final[tuple[type[Model], ...]] = (Rater, Submission, Invitation)
"""The models with an identity hash."""
CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """The numbers of rows rewritten; 0 if all were under the newest key.

    Attributes:
        n_identities: Identities.
        n_links: Raters, visits and invitations that refer to an identity by its hash.
        n_visits: Session ids of visits and their parameters.
        n_invitations: Tokens of personal links.
    """

    n_identities: int = 0
    n_links: int = 0
    n_visits: int = 0
    n_invitations: int = 0

    def __add__(self, other: "Rekeyed") -> "Rekeyed":
        return Rekeyed(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


class DuplicateIdentities(Exception):
    """A study has one person under both an old key and the newest; the message names the study."""


def rotate_identity_key(*, chunk: int = CHUNK) -> Rekeyed:
    """Encrypt and hash again all data not under the newest key; return the numbers of rows.

    May run while the site is in use, with a transaction for each chunk. If interrupted, it continues when run again. It
    ends when no data under an old key are found.

    Raises:
        UnknownIdentityKey: Data were written with a key that is not in the settings.
        DuplicateIdentities: Servers with different keys ran at the same time and registered a person in a study twice.
    """
    done = Rekeyed()
    while True:
        found = _rotate_once(chunk)
        done += found
        # A request that started before its row was changed may have written an old hash afterwards.
        if found == Rekeyed():
            return done


def _rotate_once(chunk: int) -> Rekeyed:
    return Rekeyed(
        *_rotate_identities(chunk),
        n_visits=_rotate_rows(Submission, chunk, hashed="session_hash", encrypted=("session_id", "parameters")),
        n_invitations=_rotate_rows(Invitation, chunk, hashed="token_hash", encrypted=("token",)),
    )


def _rotate_identities(chunk: int) -> tuple[int, int]:
    """Return the numbers of identities, and of rows that refer to one, under an old key."""
    n_identities = n_links = 0
    for rows in _read_chunks(Identity, chunk):
        with transaction.atomic():
            locked = Identity.objects.select_for_update().filter(pk__in=rows).order_by("pk")
            newest: dict[str, str] = {}
            for identity in locked:
                first, *older = list_identity_hashes(Participant(identity.panel, identity.participant_id))
                newest |= dict.fromkeys(older, first)
                if identity.identity_hash != first:
                    _rehash(identity, first)
                    n_identities += 1
            n_links += sum(_follow(model, newest) for model in _LEADING_ACROSS)
    return n_identities, n_links


def _rehash(identity: Identity, identity_hash: str) -> None:
    twin = Identity.objects.select_for_update().filter(identity_hash=identity_hash).first()
    if twin is not None:
        # Servers with different keys created two identities of one person; merge them.
        twin.created_at = min(twin.created_at, identity.created_at)
        twin.save(update_fields=["created_at"])
        identity.delete()
        return
    identity.identity_hash = identity_hash
    identity.save(update_fields=["identity_hash", "participant_id"])


def _follow(model: type[Model], newest: dict[str, str]) -> int:
    """Update references to an identity to its newest hash; return how many there were."""
    rows = model._default_manager.filter(identity_hash__in=newest)
    old = set(rows.values_list("identity_hash", flat=True))
    if model is not Submission:
        _refuse_two_in_a_study(model, {one: newest[one] for one in old})
    return sum(model._default_manager.filter(identity_hash=one).update(identity_hash=newest[one]) for one in old)


def _refuse_two_in_a_study(model: type[Model], newest: dict[str, str]) -> None:
    """Raise DuplicateIdentities if a study would have two raters or invitations of a person."""
    for old, new in newest.items():
        here = model._default_manager.filter(identity_hash=new).values("study")
        twice = model._default_manager.filter(identity_hash=old, study__in=here).select_related("study").first()
        if twice is not None:
            numbers = Identity.objects.filter(identity_hash__in=(old, new)).values_list("pk", flat=True)
            raise DuplicateIdentities(
                f"study {twice.study.name} has one person twice (identities "
                f"{', '.join(map(str, sorted(numbers)))}), because servers with different keys stored them; the two "
                "participations cannot be merged. Keep the old key among ACCORDANCE_IDENTITY_KEY_FALLBACKS until "
                "the study's retention time has erased that person; the page for data requests can erase them "
                "immediately, which erases both participations"
            )


def _rotate_rows(model: type[Model], chunk: int, *, hashed: str, encrypted: tuple[str, ...]) -> int:
    field = model._meta.get_field(hashed)
    n_rows = 0
    for rows in _read_chunks(model, chunk):
        with transaction.atomic():
            for row in model._default_manager.select_for_update().filter(pk__in=rows).order_by("pk"):
                before = getattr(row, hashed)
                if field.pre_save(row, add=False) != before:
                    row.save(update_fields=[hashed, *encrypted])
                    n_rows += 1
    return n_rows


def _read_chunks(model: type[Model], chunk: int) -> Iterator[list[int]]:
    """Yield the primary keys of all rows in chunks."""
    last = 0
    while keys := list(model._default_manager.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:chunk]):
        yield keys
        last = keys[-1]
