"""Who stands behind keyed hashes. What comes from here is personal data: whoever calls it keeps it apart."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.models import Identity


def name_people(rows: QuerySet[Any]) -> dict[str, str]:
    """Return keyed hash -> the panel's id of each person whom rows with an `identity_hash` lead to."""
    known = Identity.objects.filter(identity_hash__in=rows.values("identity_hash"))
    return dict(known.values_list("identity_hash", "participant_id"))


def list_same_people(hashes: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return keyed hash -> all hashes under which that person may be stored, itself among them.

    While keys are changed, servers with different keys may have taken one person in twice.
    """
    same = {one: frozenset([one]) for one in hashes if one}
    for known in Identity.objects.filter(identity_hash__in=same):
        person = Participant(known.panel, known.participant_id)
        same[known.identity_hash] |= frozenset(list_identity_hashes(person))
    return same
