"""The judgments of a study's main tasks, one by one."""

from django.db.models import QuerySet

from studies.enums import TaskRole
from studies.models import Exclusion, Judgment, Study


def list_judgments(study: Study) -> QuerySet[Judgment]:
    """Return the unordered judgments with item and rater."""
    main = Judgment.objects.filter(rater__study=study, item__task__role=TaskRole.MAIN)
    return main.select_related("item", "rater")


def list_exclusions(study: Study) -> QuerySet[Exclusion]:
    """Return the exclusions of raters, including those that were lifted, newest first."""
    decisions = Exclusion.objects.filter(rater__study=study).select_related("rater", "decided_by")
    return decisions.order_by("-pk")
