"""What raters see: tasks, the items in them, and the places that limit how many raters a task gets."""

from django.db import models
from django.db.models import Q

from studies.models.dataset import Candidate, CaptionSet, Image, Reference
from studies.models.study import Study


class Task(models.Model):
    """What a rater sees at once."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="tasks")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["study", "position"]
        constraints = [models.UniqueConstraint(fields=["study", "position"], name="task_position_once_per_study")]

    def __str__(self) -> str:
        return f"task {self.position}"


class Item(models.Model):
    """One thing in a task that receives one judgment.

    A rating judges `candidate`; a pairwise choice judges `candidate` against `other_candidate`, by the reference
    `anchor` if there is one, else by the image; a set rating judges `caption_set`.
    """

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=250, help_text="The record that an imported item was read from.")
    category = models.CharField(max_length=50, blank=True)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    anchor = models.ForeignKey(Reference, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    other_candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    caption_set = models.ForeignKey(CaptionSet, on_delete=models.PROTECT, related_name="+", null=True, blank=True)

    class Meta:
        ordering = ["task", "position"]
        constraints = [
            models.UniqueConstraint(fields=["task", "position"], name="item_position_once_per_task"),
            models.CheckConstraint(
                name="item_is_candidate_pair_or_set",
                condition=Q(candidate__isnull=False, caption_set__isnull=True)
                | Q(candidate__isnull=True, other_candidate__isnull=True, caption_set__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Place(models.Model):
    """Room for one rater on a task: a task gets as many raters as it has places, whatever the load."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="places")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["task", "number"]
        constraints = [models.UniqueConstraint(fields=["task", "number"], name="place_number_once_per_task")]
