"""A new secret takes the place of an old one: personal data is encrypted anew, and found by new hashes."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Final

from django.db import transaction
from django.db.models import Model

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.models import Identity, Invitation, Rater, Submission

_LEADING_ACROSS: Final[tuple[type[Model], ...]] = (Rater, Submission, Invitation)
"""Which have the hash of an identity."""
CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """How many rows were written anew; 0 where all were under the newest key.

    Attributes:
        n_identities: Who raters are.
        n_links: Raters, visits and invitations that lead to an identity by its hash.
        n_visits: Panels' ids of visits, and what came with them.
        n_invitations: Tokens of personal links.
    """

    n_identities: int = 0
    n_links: int = 0
    n_visits: int = 0
    n_invitations: int = 0

    def __add__(self, other: "Rekeyed") -> "Rekeyed":
        return Rekeyed(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


class DuplicateIdentities(Exception):
    """A study knows one person under an old key and under the newest; the message says which study."""


def rotate_identity_key(*, chunk: int = CHUNK) -> Rekeyed:
    """Encrypt and hash everything anew that is not under the newest key; return how much that was.

    Works while the site is used, in a transaction for each chunk: broken off, it goes on where it was when it is run
    again. It ends once it finds nothing more that is under an old key.

    Raises:
        UnknownIdentityKey: Something was written with a key that the settings do not name.
        DuplicateIdentities: Servers with different keys ran at once, and took somebody into one study twice.
    """
    done = Rekeyed()
    while True:
        found = _rotate_once(chunk)
        done += found
        # A request that began before its row was changed may have written an old hash after that.
        if found == Rekeyed():
            return done


def _rotate_once(chunk: int) -> Rekeyed:
    return Rekeyed(
        *_rotate_identities(chunk),
        n_visits=_rotate_rows(Submission, chunk, hashed="session_hash", encrypted=("session_id", "parameters")),
        n_invitations=_rotate_rows(Invitation, chunk, hashed="token_hash", encrypted=("token",)),
    )


def _rotate_identities(chunk: int) -> tuple[int, int]:
    """Return how many identities, and how many rows that lead to one, were under an old key."""
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
        # One person, taken in by servers with different keys: what leads to this identity leads to the other now.
        twin.created_at = min(twin.created_at, identity.created_at)
        twin.save(update_fields=["created_at"])
        identity.delete()
        return
    identity.identity_hash = identity_hash
    identity.save(update_fields=["identity_hash", "participant_id"])


def _follow(model: type[Model], newest: dict[str, str]) -> int:
    """Let rows lead to an identity by its newest hash; return how many there were."""
    rows = model._default_manager.filter(identity_hash__in=newest)
    old = set(rows.values_list("identity_hash", flat=True))
    if model is not Submission:
        _refuse_two_in_a_study(model, {one: newest[one] for one in old})
    return sum(model._default_manager.filter(identity_hash=one).update(identity_hash=newest[one]) for one in old)


def _refuse_two_in_a_study(model: type[Model], newest: dict[str, str]) -> None:
    """Refuse what no row can say: a study has one rater and one invitation of a person."""
    for old, new in newest.items():
        here = model._default_manager.filter(identity_hash=new).values("study")
        twice = model._default_manager.filter(identity_hash=old, study__in=here).select_related("study").first()
        if twice is not None:
            numbers = Identity.objects.filter(identity_hash__in=(old, new)).values_list("pk", flat=True)
            raise DuplicateIdentities(
                f"study {twice.study.name} knows one person twice (identities {', '.join(map(str, sorted(numbers)))}), "
                "taken in by servers with different keys, and two parts in a study cannot be made one. Keep the old "
                "key among ACCORDANCE_IDENTITY_KEY_FALLBACKS until the study's retention time has erased that person; "
                "the page for requests would erase them at once, which erases both parts"
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
    """Yield the primary keys of all rows, so many at a time."""
    last = 0
    while keys := list(model._default_manager.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:chunk]):
        yield keys
        last = keys[-1]
