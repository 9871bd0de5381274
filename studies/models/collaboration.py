"""Comments of members of a study, and how an account is notified of what happens in its studies."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.models.report import FrozenReport
from studies.models.study import Study
from studies.models.task import Item
from studies.models.webhook import Webhook


class Comment(models.Model):
    """A comment on one item or one report of a study, as plain text."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="comments")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="comments", null=True, blank=True)
    report = models.ForeignKey(FrozenReport, on_delete=models.CASCADE, related_name="comments", null=True, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    text = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="comment_is_on_one_item_or_report",
                condition=Q(item__isnull=False, report__isnull=True) | Q(item__isnull=True, report__isnull=False),
            ),
            models.CheckConstraint(name="comment_has_a_text", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return f"comment {self.pk}"


class NotificationSettings(models.Model):
    """The choices of an account for notifications; without a row it gets no mail and has read none."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    wants_mail = models.BooleanField(default=False)
    read_up_to = models.BigIntegerField(
        default=0, help_text="The last entry of the history that it has marked as read."
    )
    site = models.CharField(max_length=300, help_text="The address of this site as its owner sees it, for links.")

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "notification settings"

    def __str__(self) -> str:
        return f"notifications of {self.user_id}"


class AccountWebhook(Webhook):
    """An address that is told what happens in the studies of an account."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhook")

    @property
    def is_active(self) -> bool:
        """Whether the account is open."""
        return bool(self.user.is_active)
