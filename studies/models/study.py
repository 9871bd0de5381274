"""A human evaluation: the versions of its design, and its members."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models

from studies.enums import MemberRole, StudyState, TaskKind
from studies.models.dataset import Dataset


def make_join_token() -> str:
    """Return the secret part of a study link."""
    return secrets.token_urlsafe(16)


def make_seed() -> str:
    """Return the seed for orders and names on raters' pages."""
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
        help_text="Secret while the study is open; it determines order, sides and checks.",
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
        help_text="The study that this one is a pilot of; its judgments are never included there.",
    )
    # Protected, so that judgments of simulated raters stay marked as such.
    simulation_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        related_name="trials",
        null=True,
        blank=True,
        help_text="The study that was simulated; all judgments of this study are simulated.",
    )
    is_simulated = models.BooleanField(default=False, help_text="Whether all judgments are of simulated raters.")
    is_computed = models.BooleanField(
        default=False, help_text="Whether all judgments are computed, as the truth of captions of known worlds."
    )
    is_public = models.BooleanField(
        default=False, help_text="Whether visitors without an account see the study, once it has started."
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True, help_text="Items cannot be changed from then on.")
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Left out of lists of studies from then on.")
    secret_fields: ClassVar = ("seed",)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                name="study_has_started_unless_draft",
                condition=models.Q(state=StudyState.DRAFT) | models.Q(started_at__isnull=False),
            ),
            models.CheckConstraint(
                name="simulation_is_marked",
                condition=models.Q(simulation_of__isnull=True) | models.Q(is_simulated=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def compared_with(self) -> str:
        """What metrics are compared with, for headings and sentences."""
        if self.is_simulated:
            return "simulated judgments"
        return "computed truth" if self.is_computed else "human judgments"


class StudyMember(models.Model):
    """A colleague of the owner who may access the study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=10, choices=MemberRole)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="member_once_per_study")]


class StudyVersion(models.Model):
    """One version of a study's design; a change creates the next version and keeps this one."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    design = models.JSONField(help_text="The fields of studies.design.study_design.StudyDesign.")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        ordering = ["study", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="version_number_once_per_study")]

    def __str__(self) -> str:
        return f"{self.study_id} version {self.number}"


class DesignDraft(models.Model):
    """What a person has typed into a step of a study's design and not saved yet; at most one per person and step."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="design_drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    step = models.CharField(max_length=20)
    revision = models.CharField(max_length=32, help_text="Changes with every save; two tabs know different ones.")
    based_on = models.PositiveIntegerField(help_text="The version of the design that was being changed.")
    typed = models.JSONField(default=dict, help_text="Name of a field in the form -> its text or tick.")
    saved_at = models.DateTimeField()
    # Completion codes are among the fields.
    secret_fields: ClassVar = ("typed",)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "user", "step"], name="one_draft_per_person_and_step"),
        ]

    def __str__(self) -> str:
        return f"{self.study_id} {self.step} by {self.user_id}"
