"""Raters by pseudonym, and, in a separate table, their identities."""

from django.db import models
from django.db.models import Q

from studies.enums import RaterOutcome
from studies.models.encrypted import EncryptedTextField
from studies.models.study import Study, StudyVersion


class Rater(models.Model):
    """A person who judges in one study, known only by a pseudonym."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="raters")
    pseudonym = models.CharField(max_length=50)
    identity_hash = models.CharField(
        max_length=64, blank=True, help_text="Keyed hash of the panel's participant id; the key is not in the database."
    )
    is_placeholder = models.BooleanField(
        default=False, help_text="A placeholder for a position in published data (second vote, ...), not a person."
    )
    joined_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=15, choices=RaterOutcome, blank=True)
    language = models.CharField(max_length=10, blank=True, help_text="Language of the pages last shown to this rater.")
    join_nonce = models.CharField(
        max_length=40,
        blank=True,
        help_text="Nonce of the consent form: if it is submitted twice, only one rater is created.",
    )

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["identity_hash"], condition=~Q(identity_hash=""), name="raters_by_identity")]
        constraints = [
            models.UniqueConstraint(fields=["study", "pseudonym"], name="pseudonym_once_per_study"),
            models.UniqueConstraint(
                fields=["study", "identity_hash"], condition=~Q(identity_hash=""), name="identity_once_per_study"
            ),
            models.UniqueConstraint(
                fields=["study", "join_nonce"], condition=~Q(join_nonce=""), name="join_nonce_once_per_study"
            ),
            models.CheckConstraint(
                name="rater_outcome_iff_finished",
                condition=Q(outcome="", finished_at__isnull=True) | (~Q(outcome="") & Q(finished_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym


class Identity(models.Model):
    """Personal data of a rater, encrypted. No other table refers to it; the keyed hash is the only connection."""

    identity_hash = models.CharField(max_length=64, unique=True)
    panel = models.CharField(max_length=50)
    participant_id = EncryptedTextField()
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "identities"

    def __str__(self) -> str:
        return f"identity {self.pk}"


class Consent(models.Model):
    """The consent of a rater to the text of one version of the study."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="consents")
    version = models.ForeignKey(StudyVersion, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rater", "version"], name="consent_once_per_version")]
