"""Phases of a challenge, with their metrics and references."""

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from challenges.enums import EntryRule, ResultsVisibility
from challenges.models.challenge import Challenge
from studies.models import Image


class Phase(models.Model):
    """A part of a challenge with its own images, dates, metrics and limits."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="phases")
    slug = models.SlugField(max_length=40)
    title = models.CharField(max_length=200)
    split = models.SlugField(
        max_length=40, blank=True, help_text="As in the name of a file: captions_<split>_<algorithm>_results.json."
    )
    images: Any = models.ManyToManyField(
        Image, related_name="+", blank=True, help_text="None: all images of the dataset."
    )
    captions_per_image = models.PositiveSmallIntegerField(default=1, help_text="More than one: caption sets.")
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(help_text="No submissions are accepted from then on.")
    time_zone = models.CharField(max_length=64, default="UTC", help_text="A day of the limit is one of this time zone.")
    per_day = models.PositiveSmallIntegerField(default=5, help_text="The most submissions of a team per day.")
    in_all = models.PositiveIntegerField(default=100, help_text="The most submissions of a team.")
    visibility = models.CharField(max_length=12, choices=ResultsVisibility, default=ResultsVisibility.PARTICIPANT)
    decimals = models.PositiveSmallIntegerField(default=3, help_text="Decimals of shown scores.")
    entry_rule = models.CharField(max_length=8, choices=EntryRule, default=EntryRule.BEST)
    shows_intervals = models.BooleanField(
        default=False, help_text="The board shows intervals of scores and clusters of entries, which tell more of them."
    )
    frozen_at = models.DateTimeField(null=True, blank=True, help_text="When the final board was stored.")
    frozen_board = models.JSONField(null=True, blank=True)
    frozen_digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the final board.")

    class Meta:
        ordering = ["challenge", "opens_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "slug"], name="phase_slug_once_per_challenge"),
            models.CheckConstraint(name="phase_opens_before_it_closes", condition=Q(opens_at__lt=F("closes_at"))),
            models.CheckConstraint(
                name="phase_allows_a_submission", condition=Q(per_day__gte=1, in_all__gte=1, captions_per_image__gte=1)
            ),
            models.CheckConstraint(name="phase_rounds_to_known_decimals", condition=Q(decimals__range=(1, 6))),
            models.CheckConstraint(
                name="phase_has_known_choices",
                condition=Q(visibility__in=ResultsVisibility.values, entry_rule__in=EntryRule.values),
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class PhaseMetric(models.Model):
    """A metric of a phase; the first one orders the board."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="metrics")
    metric = models.CharField(max_length=100, help_text="The id of an installed metric.")
    params = models.JSONField(default=dict, blank=True)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["phase", "position"]
        constraints = [
            models.UniqueConstraint(fields=["phase", "metric"], name="metric_once_per_phase"),
            models.UniqueConstraint(fields=["phase", "position"], name="metric_position_once_per_phase"),
        ]

    def __str__(self) -> str:
        return self.metric


class PhaseReferences(models.Model):
    """Named references of a phase, such as c5 and c40: those of each image from one position on.

    Images that have fewer than `count` of them are not scored with this set, as COCO's c40 exists for a part of the
    images.
    """

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="references")
    name = models.SlugField(max_length=20)
    start = models.PositiveSmallIntegerField(default=0, help_text="The position of the first one, from 0.")
    count = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(1000)], help_text="Empty: all."
    )
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["phase", "position"]
        verbose_name_plural = "phase references"
        constraints = [
            models.UniqueConstraint(fields=["phase", "name"], name="references_name_once_per_phase"),
            models.UniqueConstraint(fields=["phase", "position"], name="references_position_once_per_phase"),
            models.CheckConstraint(name="references_are_not_empty", condition=Q(count__isnull=True) | Q(count__gte=1)),
        ]

    def __str__(self) -> str:
        return self.name


class PhaseIntervals(models.Model):
    """The intervals of the scores of a board and the clusters of its entries, as computed last.

    `record` has the rounded values that they were computed for, so that a board shows none that are not its own.
    """

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="intervals")
    computed_at = models.DateTimeField()
    record = models.JSONField()

    class Meta:
        verbose_name_plural = "phase intervals"

    def __str__(self) -> str:
        return f"intervals of {self.phase}"
