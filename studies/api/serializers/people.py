"""Serializers of members, tokens and the audit log."""

from typing import ClassVar

from rest_framework import serializers

from studies.enums import AuditAction, Interface, MemberRole
from studies.models import ApiToken, AuditEntry, StudyMember, StudyOffer

DAYS = "The default and maximum are settings of the server."


class MemberSerializer(serializers.ModelSerializer):
    """A member and their role."""

    username = serializers.CharField(source="user.username", read_only=True)
    role = serializers.ChoiceField(choices=MemberRole.choices, read_only=True)

    class Meta:
        model = StudyMember
        fields: ClassVar = ["username", "role"]


class RoleSerializer(serializers.Serializer):
    """A new role for a member."""

    role = serializers.ChoiceField(choices=MemberRole.choices)


class NewMemberSerializer(RoleSerializer):
    """A new member and their role."""

    username = serializers.CharField(max_length=150)


class OwnerSerializer(serializers.Serializer):
    """The new owner."""

    username = serializers.CharField(max_length=150)


class OfferSerializer(serializers.ModelSerializer):
    """An offer of ownership of a study."""

    study = serializers.CharField(source="study.name", read_only=True)
    title = serializers.CharField(source="study.title", read_only=True)
    offered_by = serializers.CharField(source="offered_by.username", read_only=True)
    offered_to = serializers.CharField(source="offered_to.username", read_only=True)

    class Meta:
        model = StudyOffer
        fields: ClassVar = ["id", "study", "title", "offered_by", "offered_to", "offered_at", "expires_at"]


class TokenSerializer(serializers.ModelSerializer):
    """A token without its secret."""

    made_by = serializers.CharField(source="made_by.username", read_only=True)
    role = serializers.ChoiceField(choices=MemberRole.choices, read_only=True)

    class Meta:
        model = ApiToken
        fields: ClassVar = [
            "id",
            "name",
            "role",
            "hint",
            "made_by",
            "made_at",
            "expires_at",
            "revoked_at",
            "last_used_at",
        ]


class MadeTokenSerializer(serializers.Serializer):
    """A new token and its secret, which is shown only once."""

    secret = serializers.CharField()
    token = TokenSerializer()


class NewTokenSerializer(serializers.Serializer):
    """The purpose of a token, its role, and its validity in days."""

    name = serializers.CharField(max_length=100)
    role = serializers.ChoiceField(choices=MemberRole.choices)
    days = serializers.IntegerField(min_value=1, required=False, help_text=DAYS)


class EntrySerializer(serializers.ModelSerializer):
    """One entry of a study's audit log."""

    actor = serializers.CharField(source="actor_name", read_only=True, help_text="Empty if done by a command.")
    interface = serializers.ChoiceField(choices=Interface.choices, read_only=True)
    action = serializers.ChoiceField(choices=AuditAction.choices, read_only=True)
    details = serializers.DictField(read_only=True)

    class Meta:
        model = AuditEntry
        fields: ClassVar = ["at", "actor", "interface", "action", "details"]
