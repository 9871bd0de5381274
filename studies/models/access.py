"""The audit log of studies, API tokens, and offers of ownership."""

from django.conf import settings
from django.db import models

from studies.enums import Interface, MemberRole
from studies.models.study import Study


class AuditEntry(models.Model):
    """A change of a study, written once in the transaction of the change; names remain when rows are deleted."""

    study = models.ForeignKey(Study, on_delete=models.SET_NULL, related_name="audit_entries", null=True, blank=True)
    study_name = models.CharField(max_length=100)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    actor_name = models.CharField(max_length=150, blank=True, help_text="Empty for a command run without a user.")
    interface = models.CharField(max_length=10, choices=Interface)
    action = models.CharField(max_length=30, help_text="A member of AuditAction.")
    details = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["study", "-id"], name="audit_by_study")]

    def __str__(self) -> str:
        return f"{self.action} {self.study_name}"


class Token(models.Model):
    """A secret by which a program acts for its creator, here and in other apps. Only its digest is stored."""

    name = models.CharField(max_length=100, help_text="What it is for.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    hint = models.CharField(max_length=8, help_text="Its last characters, to tell tokens apart.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Refused from then on.")
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} …{self.hint}"


class ApiToken(Token):
    """A secret by which a program acts in one study, with one role."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="tokens")
    role = models.CharField(max_length=10, choices=MemberRole)


class StudyOffer(models.Model):
    """An offer of ownership of a study to another person, which exists until it is answered: one per study."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="offer")
    offered_to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    offered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    offered_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Cannot be accepted from then on.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.study_id} to {self.offered_to_id}"
