"""Leases of tasks and what came of them. All judgments live in one table, whatever the kind of task."""

from django.db import models
from django.db.models import Q

from studies.enums import AssignmentState
from studies.models.rater import Rater
from studies.models.study import StudyVersion
from studies.models.task import Item, Place, Task

LIVE = Q(state__in=[AssignmentState.LEASED, AssignmentState.SUBMITTED])


class Assignment(models.Model):
    """A rater's lease on a task: it holds one place until it is submitted, returned or expires."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assignments")
    place = models.ForeignKey(Place, on_delete=models.PROTECT, related_name="assignments")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="assignments")
    version = models.ForeignKey(StudyVersion, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=AssignmentState, default=AssignmentState.LEASED)
    shown = models.JSONField(help_text="The order in which items and their captions are shown to this rater.")
    leased_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["place"], condition=LIVE, name="place_has_one_live_assignment"),
            models.UniqueConstraint(fields=["task", "rater"], condition=LIVE, name="rater_has_task_once"),
            models.CheckConstraint(
                name="assignment_submitted_iff_time_known",
                condition=Q(state=AssignmentState.SUBMITTED, submitted_at__isnull=False)
                | (~Q(state=AssignmentState.SUBMITTED) & Q(submitted_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Judgment(models.Model):
    """One rater's answer on one item.

    `value` is the number that statistics use: the rating itself; 0 to 1 for a caption set; for a pair +1 for
    `candidate`, -1 for `other_candidate` and 0 for no preference, whichever side each was shown on.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="judgments")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="judgments")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, related_name="judgments", null=True, blank=True
    )
    value = models.FloatField()
    answer = models.JSONField(default=dict, blank=True, help_text="What was submitted, in the words of the kind.")
    elapsed_ms = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["item", "rater"], name="rater_judges_item_once")]

    def __str__(self) -> str:
        return f"{self.value:g}"
