"""The notifications of an account: what happened in its studies, and how it is told."""

from typing import Any, ClassVar

from django.conf import settings
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import refuse_tokens, who_and_when
from studies.api.serializers.people import EntrySerializer
from studies.api.views.base import ApiView, describe, list_of
from studies.collaboration.feed import find_read, list_notifications, mark_read
from studies.collaboration.mailing import choose_mail, find_address, wants_mail
from studies.models import AccountWebhook, AuditEntry
from studies.webhooks.delivering import remove_webhook, set_webhook
from studies.webhooks.policy import LONGEST, WebhookRefused

NO_STORE = {"Cache-Control": "no-store"}


class NotificationSerializer(EntrySerializer):
    """What happened in a study."""

    study = serializers.CharField(source="study.name", read_only=True)
    is_read = serializers.SerializerMethodField()

    class Meta(EntrySerializer.Meta):
        fields: ClassVar = ["id", "study", *EntrySerializer.Meta.fields, "is_read"]

    def get_is_read(self, entry: AuditEntry) -> bool:
        return bool(entry.pk <= self.context["read_up_to"])


class ReadSerializer(serializers.Serializer):
    """The last notification that was read: it and all older ones are marked, newer ones are not."""

    up_to = serializers.IntegerField(min_value=0, max_value=2**63 - 1, help_text="`id` of a notification.")


class AccountWebhookSerializer(serializers.ModelSerializer):
    """A webhook without its secret."""

    class Meta:
        model = AccountWebhook
        fields: ClassVar = ["url", "made_at", "last_tried_at", "last_outcome", "is_delivered"]


class NotificationSettingsSerializer(serializers.Serializer):
    """How an account is told of what happens in its studies."""

    wants_mail = serializers.BooleanField()
    site_sends_mail = serializers.BooleanField(read_only=True)
    address = serializers.CharField(read_only=True, help_text="The confirmed address; empty if there is none.")
    webhook = AccountWebhookSerializer(read_only=True, allow_null=True)


class NewWebhookSerializer(serializers.Serializer):
    """Where messages go."""

    url = serializers.CharField(max_length=LONGEST)


class SecretSerializer(serializers.Serializer):
    """The secret that signs the messages of a webhook."""

    secret = serializers.CharField()


class NotificationList(ApiView):
    """What happened in the studies of an account."""

    @list_of(
        NotificationSerializer,
        "List notifications\nThe events that mails and webhooks tell of, and comments of other people; newest first. "
        "Needs a login.",
    )
    def get(self, request: Request) -> Response:
        refuse_tokens(request)
        context = {"read_up_to": find_read(request.user)}
        return self.answer_page(list_notifications(request.user), NotificationSerializer, request, context=context)


class ReadNotifications(ApiView):
    """The mark between read and unread notifications."""

    @describe(
        "Mark notifications as read\nNeeds a login.", body=ReadSerializer, example={"up_to": 1}, answer=ReadSerializer
    )
    def put(self, request: Request) -> Response:
        refuse_tokens(request)
        mark_read(request.user, up_to=self.read(ReadSerializer, request).validated_data["up_to"])
        return Response({"up_to": find_read(request.user)})


class NotificationSettingsDetail(ApiView):
    """How an account is told."""

    @describe("Show the notification settings\nNeeds a login.", answer=NotificationSettingsSerializer)
    def get(self, request: Request) -> Response:
        refuse_tokens(request)
        return _answer(request)

    @describe(
        "Turn mails on or off\nNeeds a login.",
        body=NotificationSettingsSerializer,
        example={"wants_mail": True},
        answer=NotificationSettingsSerializer,
    )
    def put(self, request: Request) -> Response:
        refuse_tokens(request)
        wants = self.read(NotificationSettingsSerializer, request).validated_data["wants_mail"]
        choose_mail(wants=wants, site=request.build_absolute_uri("/"), **who_and_when(request))
        return _answer(request)


class NotificationWebhook(ApiView):
    """The webhook of an account."""

    @describe(
        "Set the webhook of your account\nReplaces an earlier one. The secret is shown only once. Needs a login.",
        body=NewWebhookSerializer,
        example={"url": "https://hooks.example.org/"},
        answer=SecretSerializer,
        status=201,
    )
    def put(self, request: Request) -> Response:
        refuse_tokens(request)
        url = self.read(NewWebhookSerializer, request).validated_data["url"]
        given: dict[str, Any] = {"url": url, "site": request.build_absolute_uri("/"), "user": request.user}
        try:
            secret = set_webhook(AccountWebhook, **given, **who_and_when(request))
        except WebhookRefused as refusal:
            raise serializers.ValidationError({"url": [str(refusal)]}) from refusal
        return Response({"secret": secret}, status=201, headers=NO_STORE)

    @describe("Remove the webhook of your account\nNeeds a login.", answer=None, status=204)
    def delete(self, request: Request) -> Response:
        refuse_tokens(request)
        remove_webhook(AccountWebhook, user=request.user, **who_and_when(request))
        return Response(status=204)


def _answer(request: Request) -> Response:
    known = {
        "wants_mail": wants_mail(request.user),
        "site_sends_mail": settings.HAS_MAIL,
        "address": find_address(request.user),
        "webhook": AccountWebhook.objects.filter(user=request.user).first(),
    }
    return Response(NotificationSettingsSerializer(known).data, headers=NO_STORE)
