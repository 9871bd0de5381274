"""The judgments of a study's main tasks, one by one."""

from django.db.models import QuerySet

from studies.enums import TaskRole
from studies.models import Exclusion, Judgment, Study


def list_judgments(study: Study) -> QuerySet[Judgment]:
    """Return the judgments with item and rater, in no order yet."""
    main = Judgment.objects.filter(rater__study=study, item__task__role=TaskRole.MAIN)
    return main.select_related("item", "rater")


def list_exclusions(study: Study) -> QuerySet[Exclusion]:
    """Return the decisions to leave raters out, those that were lifted as well, newest first."""
    decisions = Exclusion.objects.filter(rater__study=study).select_related("rater", "decided_by")
    return decisions.order_by("-pk")
