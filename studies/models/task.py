"""Tasks, the items in them, and the slots that limit the number of raters per task."""

from django.db import models
from django.db.models import Q

from studies.enums import TaskRole
from studies.models.dataset import Candidate, CaptionSet, Image, Reference
from studies.models.study import Study


class Task(models.Model):
    """What a rater sees at once."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="tasks")
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=15, choices=TaskRole, default=TaskRole.MAIN)

    class Meta:
        ordering = ["study", "position"]
        indexes = [models.Index(fields=["study", "role", "position"], name="tasks_by_role")]
        constraints = [models.UniqueConstraint(fields=["study", "position"], name="task_position_once_per_study")]

    def __str__(self) -> str:
        return f"task {self.position}"


class Item(models.Model):
    """One thing in a task that receives one judgment.

    A rating judges `candidate`; a pairwise choice judges `candidate` against `other_candidate`, by the reference
    `anchor` if there is one, else by the image; a set rating judges `caption_set`; writing a caption needs the image
    only.
    """

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=250, help_text="The source record of an imported item.")
    category = models.CharField(max_length=50, blank=True)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    anchor = models.ForeignKey(Reference, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    other_candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    caption_set = models.ForeignKey(CaptionSet, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    expected = models.JSONField(
        null=True, blank=True, help_text="The correct values, for an item of training, qualification or a check."
    )
    feedback = models.TextField(blank=True, help_text="Explanation shown after a training item is answered.")

    class Meta:
        ordering = ["task", "position"]
        constraints = [
            models.UniqueConstraint(fields=["task", "position"], name="item_position_once_per_task"),
            models.CheckConstraint(
                name="item_is_candidate_pair_set_or_image",
                condition=Q(candidate__isnull=False, caption_set__isnull=True)
                | Q(candidate__isnull=True, other_candidate__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Slot(models.Model):
    """Room for one rater on a main task: a task gets at most as many raters as it has slots, under any load.

    The free slot with the lowest number belongs to the task that needs raters most, so that one index finds it.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="slots")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="slots")
    number = models.PositiveSmallIntegerField()
    turn = models.PositiveIntegerField(help_text="Random order among slots with the same number.")
    is_held = models.BooleanField(
        default=False,
        help_text="Whether a live assignment holds it; saved with the assignment, to find free ones fast.",
    )

    class Meta:
        ordering = ["task", "number"]
        constraints = [models.UniqueConstraint(fields=["task", "number"], name="slot_number_once_per_task")]
        indexes = [
            models.Index(fields=["study", "number", "turn"], condition=Q(is_held=False), name="free_slots_in_order")
        ]
