"""Leases of tasks, and the judgments of all kinds of task in one table."""

from django.db import models
from django.db.models import Q

from studies.enums import AssignmentState
from studies.models.people.rater import Rater
from studies.models.study import Study, StudyVersion
from studies.models.task import Item, Slot, Task

LIVE = Q(state__in=[AssignmentState.LEASED, AssignmentState.SUBMITTED])
DONE = (AssignmentState.SUBMITTED, AssignmentState.REPLACED)
WAS_SUBMITTED = (*DONE, AssignmentState.RETAKEN)


class Assignment(models.Model):
    """A rater's lease on a task, which holds one slot until it is submitted, returned or expires."""

    study = models.ForeignKey(
        Study,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Copied from the task, to find the leases of one study.",
    )
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assignments")
    slot = models.ForeignKey(
        Slot,
        on_delete=models.PROTECT,
        related_name="assignments",
        null=True,
        blank=True,
        help_text="Empty for tasks given to every rater: training, qualification, checks.",
    )
    session = models.PositiveSmallIntegerField(default=1, help_text="Which of the rater's sessions it was leased in.")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="assignments")
    version = models.ForeignKey(StudyVersion, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=AssignmentState, default=AssignmentState.LEASED)
    shown = models.JSONField(help_text="The order in which items and their captions are shown to this rater.")
    leased_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["study", "expires_at"], condition=Q(state=AssignmentState.LEASED), name="leases_by_expiry"
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["slot"], condition=LIVE, name="slot_has_one_live_assignment"),
            models.UniqueConstraint(fields=["task", "rater"], condition=LIVE, name="rater_has_task_once"),
            models.CheckConstraint(
                name="assignment_submitted_iff_time_known",
                condition=Q(state__in=WAS_SUBMITTED, submitted_at__isnull=False)
                | (~Q(state__in=WAS_SUBMITTED) & Q(submitted_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Judgment(models.Model):
    """One rater's answer on one item.

    `value` is the number for statistics: the rating itself; 0 to 1 for a caption set; for a pair +1 for `candidate`,
    -1 for `other_candidate` and 0 for no preference, regardless of the sides on which they were shown; 1 for "a person
    wrote it" and 0 for "a machine did"; +1 for the best, -1 for the worst of several and 0 for the others. It is None
    for a written caption.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="judgments")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="judgments")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, related_name="judgments", null=True, blank=True
    )
    value = models.FloatField(null=True, blank=True)
    answer = models.JSONField(
        default=dict, blank=True, help_text="The submitted answer, in the format of the task kind."
    )
    elapsed_ms = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField()
    surplus_since = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it arrived although other raters had filled the task; such a judgment is not counted.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["item", "rater"], name="rater_judges_item_once")]

    def __str__(self) -> str:
        return "" if self.value is None else f"{self.value:g}"


class JudgmentRevision(models.Model):
    """The values of a judgment before its rater corrected it."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="revisions")
    value = models.FloatField(null=True, blank=True)
    answer = models.JSONField(default=dict, blank=True)
    elapsed_ms = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(help_text="When the answer was first given.")
    replaced_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
