"""The locks of the assignment engine, where the database has them.

They are always taken in the same order (the rater, the assignment, the study, a slot), so that nobody waits in a
circle. SQLite has no row locks and needs none: whoever writes is alone from the start of the transaction.
"""

from typing import Final

from django.db.models import BigIntegerField, QuerySet

from studies.models import Assignment, Rater
from studies.shared.prepared_queries import Prepared, QueryParameter

_PK: Final = QueryParameter("pk", BigIntegerField())


def lock_rater(pk: int) -> Rater:
    """Return the rater and the study as they are now.

    No other request changes anything of this rater until the transaction ends, and nobody opens, closes or registers
    the study meanwhile: a lease that is being given is there for whoever asks whether the study has begun.
    """
    rater: Rater = _RATER.get(pk=pk)
    return rater


def lock_assignment(pk: int) -> Assignment:
    """Return the assignment as it is now, with its task, its rater, and the study, which nobody closes meanwhile.

    Many may hold one study so at once. It is one statement, which locks in the order of its clauses; what it had to
    wait for PostgreSQL gives as it has become, for these rows are all locked and are looked at again.
    """
    assignment: Assignment = _ASSIGNMENT.get(pk=pk)
    return assignment


def _build_rater() -> QuerySet[Rater]:
    # Without the key: a row that only refers to the rater, such as a payment, need not wait.
    locked = Rater.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("study").filter(pk=_PK).order_by()


def _build_assignment() -> QuerySet[Assignment]:
    locked = Assignment.objects.select_for_update(of=("rater", "self"), no_key=True)
    return locked.select_related("task", "rater__study").filter(pk=_PK).order_by()


_RATER: Final = Prepared(_build_rater, share="studies_study")
_ASSIGNMENT: Final = Prepared(_build_assignment, share="studies_study")
