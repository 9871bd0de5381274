"""Row locks of the assignment engine, where the database has them.

They are always taken in the same order (rater, assignment, study, slot), which prevents deadlocks. SQLite has no row
locks and needs none: a writing transaction is exclusive from its start.
"""

from typing import Final

from django.db.models import BigIntegerField, QuerySet

from studies.models import Assignment, Rater
from studies.shared.prepared_queries import Prepared, QueryParameter

_PK: Final = QueryParameter("pk", BigIntegerField())


def lock_rater(pk: int) -> Rater:
    """Lock and return the rater with the current study.

    No other request changes this rater until the transaction ends, and the study cannot be opened, closed or
    preregistered meanwhile, so that a lease being created is visible to whoever checks whether the study has started.
    """
    rater: Rater = _RATER.get(pk=pk)
    return rater


def lock_assignment(pk: int) -> Assignment:
    """Lock and return the assignment with its task, rater and study; the study cannot be closed meanwhile.

    The lock on the study is shared. A single statement locks in the order of its clauses; after waiting, PostgreSQL
    returns the current values, because it rereads the rows that it locks.
    """
    assignment: Assignment = _ASSIGNMENT.get(pk=pk)
    return assignment


def _build_rater() -> QuerySet[Rater]:
    # A no-key lock, so that inserting rows that refer to the rater, such as payments, need not wait.
    locked = Rater.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("study").filter(pk=_PK).order_by()


def _build_assignment() -> QuerySet[Assignment]:
    locked = Assignment.objects.select_for_update(of=("rater", "self"), no_key=True)
    return locked.select_related("task", "rater__study").filter(pk=_PK).order_by()


_RATER: Final = Prepared(_build_rater, share="studies_study")
_ASSIGNMENT: Final = Prepared(_build_assignment, share="studies_study")
