"""Webhooks: addresses to which messages are sent when something has happened."""

from django.db import models


class Webhook(models.Model):
    """An address that gets signed messages, with the outcome of the last one."""

    url = models.CharField(max_length=500)
    site = models.CharField(max_length=300, help_text="The address of this site as its owner sees it, for links.")
    encrypted_secret = models.TextField(editable=False, help_text="What signs the messages, encrypted by SECRET_KEY.")
    made_at = models.DateTimeField()
    last_tried_at = models.DateTimeField(null=True, blank=True, help_text="When a message was sent last.")
    last_outcome = models.CharField(max_length=200, blank=True)
    is_delivered = models.BooleanField(default=False, help_text="Whether the last message arrived.")

    class Meta:
        abstract = True
        ordering = ["pk"]

    def __str__(self) -> str:
        # The path of a URL is often a secret.
        return f"webhook {self.pk}"

    @property
    def is_active(self) -> bool:
        """Whether its owner may still get messages."""
        return True
