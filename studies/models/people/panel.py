"""Visits of raters from panels, and payments."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from studies.enums import PanelKind, RaterOutcome
from studies.models.encrypted import EncryptedJSONField, EncryptedTextField, LookupHashField
from studies.models.people.rater import Rater
from studies.models.study import Study, make_join_token


class Submission(models.Model):
    """One visit as counted by a panel: its query parameters and its outcome. Erased with the identity."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="submissions")
    identity_hash = models.CharField(max_length=64)
    panel = models.CharField(max_length=10, choices=PanelKind)
    session_id = EncryptedTextField(help_text="The panel's id of this visit.")
    session_hash = LookupHashField(purpose="session", of=("panel", "session_id"))
    parameters = EncryptedJSONField(default=dict, help_text="What the panel sent with it, except the participant id.")
    outcome = models.CharField(max_length=15, choices=RaterOutcome, blank=True)
    code = models.CharField(max_length=100, blank=True, help_text="The completion code that was shown.")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    # The panel's parameters identify the person as the person's own id does; a code is worth money.
    secret_fields: ClassVar = ("identity_hash", "session_id", "session_hash", "parameters", "code")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "session_hash"], name="panel_session_once_per_study")]
        indexes = [models.Index(fields=["identity_hash"], name="submissions_by_identity")]

    def __str__(self) -> str:
        return f"submission {self.pk}"


class Invitation(models.Model):
    """A personal link, which stores the keyed hash of the invited identity."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    identity_hash = models.CharField(max_length=64)
    token = EncryptedTextField(default=make_join_token)
    token_hash = LookupHashField(purpose="invitation", of=("token",), unique=True)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    secret_fields: ClassVar = ("identity_hash", "token", "token_hash")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "identity_hash"], name="invitation_once_per_identity_and_study")
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk}"


class Payment(models.Model):
    """An amount that a rater is owed or was paid, besides the panel's own payment."""

    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="payments")
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    currency = models.CharField(max_length=3)
    reason = models.CharField(max_length=200)
    decided_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(name="payment_is_positive", condition=Q(amount__gt=0))]
