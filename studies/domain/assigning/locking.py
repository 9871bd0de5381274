"""The locks of the assignment engine, where the database has them.

They are always taken in the same order (the rater, the assignment, the study, a place), so that nobody waits in a
circle. SQLite has no row locks and needs none: whoever writes is alone from the start of the transaction.
"""

from typing import Final

from django.db import connection

from studies.models import Assignment, Rater, Study

_READ: Final = "SELECT * FROM studies_study WHERE id = %s"


def lock_rater(pk: int) -> Rater:
    """Return the rater and the study as they are now.

    No other request changes anything of this rater until the transaction ends; the study may be closed meanwhile.
    """
    return Rater.objects.select_for_update(of=("self",)).select_related("study").get(pk=pk)


def lock_assignment(pk: int) -> Assignment:
    """Return the assignment as it is now, with its task."""
    return Assignment.objects.select_for_update(of=("self",)).select_related("task").get(pk=pk)


def lock_state(study_id: int) -> Study:
    """Return the study as it is now; many may hold it so at once, but nobody closes it until they are through."""
    shared = " FOR SHARE" if connection.features.has_select_for_update else ""
    return Study.objects.raw(_READ + shared, [study_id])[0]
