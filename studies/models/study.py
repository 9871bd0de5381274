"""A human evaluation: its design in versions, and who may work on it."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models

from studies.enums import MemberRole, StudyState, TaskKind
from studies.models.dataset import Dataset


def make_join_token() -> str:
    """Return the unguessable part of a study link."""
    return secrets.token_urlsafe(16)


def make_seed() -> str:
    """Return what the orders and names on raters' pages are drawn from."""
    return secrets.token_hex(16)


class Study(models.Model):
    """A human evaluation of one dataset, with one kind of task."""

    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="studies")
    name = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=TaskKind)
    state = models.CharField(max_length=10, choices=StudyState, default=StudyState.DRAFT)
    protocol = models.CharField(max_length=500, help_text="The protocol that `correlate` uses unless told otherwise.")
    join_token = models.CharField(max_length=40, unique=True, default=make_join_token)
    seed = models.CharField(
        max_length=64,
        default=make_seed,
        editable=False,
        help_text="Secret while the study is open: order, sides and checks are drawn from it.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="studies", null=True, blank=True
    )
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="StudyMember", related_name="shared_studies")
    pilot_of = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        related_name="pilots",
        null=True,
        blank=True,
        help_text="The study that this one tries out; its judgments are never counted there.",
    )
    # Protected, so that nothing ever takes the mark off judgments that no person gave.
    simulation_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        related_name="trials",
        null=True,
        blank=True,
        help_text="The study that was simulated: all judgments of this one are simulated.",
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True, help_text="From here on its items cannot change.")
    secret_fields: ClassVar = ("seed",)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                name="study_has_started_unless_draft",
                condition=models.Q(state=StudyState.DRAFT) | models.Q(started_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return self.name


class StudyMember(models.Model):
    """A colleague of the owner in one study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=10, choices=MemberRole)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="member_once_per_study")]


class StudyVersion(models.Model):
    """One state of a study's design; a change makes the next version and keeps this one."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    design = models.JSONField(help_text="The fields of studies.design.design.StudyDesign.")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        ordering = ["study", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="version_number_once_per_study")]

    def __str__(self) -> str:
        return f"{self.study_id} version {self.number}"
