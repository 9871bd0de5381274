"""Who stands behind keyed hashes. What comes from here is personal data: whoever calls it keeps it apart."""

from typing import Any

from django.db.models import QuerySet

from studies.models import Identity


def name_people(rows: QuerySet[Any]) -> dict[str, str]:
    """Return keyed hash -> the panel's id of each person whom rows with an `identity_hash` lead to."""
    known = Identity.objects.filter(identity_hash__in=rows.values("identity_hash"))
    return dict(known.values_list("identity_hash", "participant_id"))
