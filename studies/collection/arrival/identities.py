"""Identities behind keyed hashes. The results are personal data; callers keep them separate from judgments."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.models import Identity


def name_people(rows: QuerySet[Any]) -> dict[str, str]:
    """Return keyed hash -> the panel's participant id, for all rows with an `identity_hash`."""
    known = Identity.objects.filter(identity_hash__in=rows.values("identity_hash"))
    return dict(known.values_list("identity_hash", "participant_id"))


def list_same_people(hashes: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return keyed hash -> all hashes of the same person, including itself.

    During a key rotation, servers with different keys may have registered the same person twice.
    """
    same = {one: frozenset([one]) for one in hashes if one}
    for known in Identity.objects.filter(identity_hash__in=same):
        person = Participant(known.panel, known.participant_id)
        same[known.identity_hash] |= frozenset(list_identity_hashes(person))
    return same
