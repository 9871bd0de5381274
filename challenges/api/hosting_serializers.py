"""Serializers of what hosts send and see."""

from typing import Any, ClassVar

from rest_framework import serializers

from challenges.api.serializers import ChallengeSerializer, SubmissionSerializer
from challenges.baselines.adding import LONGEST_NAME, MOST_SEED, UPLOADED
from challenges.enums import BaselineKind, ChallengeAction
from challenges.hosting.plans import LATEST_YEAR
from challenges.models import Baseline, Challenge, ChallengeEvent, Phase, Team, TeamLimit
from studies.enums import Interface


class HostedPhaseSerializer(serializers.ModelSerializer):
    """A phase with the numbers of its submissions."""

    phase = serializers.CharField(source="slug", read_only=True)
    n_scored = serializers.IntegerField(read_only=True)
    n_failed = serializers.IntegerField(read_only=True)
    n_moving = serializers.IntegerField(read_only=True, help_text="Received, and not scored yet.")
    is_final = serializers.SerializerMethodField(help_text="Whether the leaderboard is final.")
    digest = serializers.CharField(source="frozen_digest", read_only=True, help_text="SHA-256; empty before.")

    class Meta:
        model = Phase
        fields: ClassVar = [
            "phase",
            "title",
            "opens_at",
            "closes_at",
            "time_zone",
            "per_day",
            "in_all",
            "n_scored",
            "n_failed",
            "n_moving",
            "is_final",
            "digest",
        ]

    def get_is_final(self, phase: Phase) -> bool:
        return phase.frozen_at is not None


class HostedChallengeSerializer(ChallengeSerializer):
    """A challenge as its hosts see it."""

    dataset = serializers.CharField(source="dataset.name", read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True, allow_null=True, default=None)
    hosts = serializers.SlugRelatedField("username", many=True, read_only=True)
    problems = serializers.SerializerMethodField(help_text="What prevents its opening; empty while it is open.")
    phases = serializers.SerializerMethodField()

    class Meta(ChallengeSerializer.Meta):
        fields: ClassVar = [*ChallengeSerializer.Meta.fields, "dataset", "owner", "hosts", "problems", "phases"]

    def get_problems(self, _: Challenge) -> serializers.ListField(child=serializers.CharField()):  # type: ignore[valid-type]
        return self.context["problems"]

    def get_phases(self, _: Challenge) -> HostedPhaseSerializer(many=True):  # type: ignore[valid-type]
        return HostedPhaseSerializer(self.context["phases"], many=True).data


class HostedSubmissionSerializer(SubmissionSerializer):
    """A submission with the account that sent it, and whether it is a baseline of the hosts."""

    made_by = serializers.CharField(source="made_by.username", read_only=True, allow_null=True, default=None)

    class Meta(SubmissionSerializer.Meta):
        fields: ClassVar = [*SubmissionSerializer.Meta.fields, "made_by", "is_baseline"]


class BaselineSerializer(serializers.ModelSerializer):
    """A baseline of the hosts, which is a submission."""

    name = serializers.CharField(source="submission.team.name", read_only=True)
    kind = serializers.ChoiceField(choices=BaselineKind.choices, read_only=True)
    submission = SubmissionSerializer(read_only=True)

    class Meta:
        model = Baseline
        fields: ClassVar = ["name", "kind", "seed", "submission"]


class NewBaselineSerializer(serializers.Serializer):
    """A new baseline."""

    kind = serializers.ChoiceField(choices=UPLOADED)
    name = serializers.CharField(
        max_length=LONGEST_NAME, required=False, default="", help_text="By default the kind, but for `file`."
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=MOST_SEED, required=False, default=1, help_text="Of held-out references."
    )
    file = serializers.FileField(
        required=False,
        default=None,
        help_text="Training captions in COCO's JSON for `common-caption`, results for `file`, none for `human`.",
    )


class TeamLimitSerializer(serializers.ModelSerializer):
    """The raised limits of a team in a phase."""

    phase = serializers.CharField(source="phase.slug", read_only=True)

    class Meta:
        model = TeamLimit
        fields: ClassVar = ["phase", "per_day", "in_all", "reason"]


class HostedTeamSerializer(serializers.ModelSerializer):
    """A team with its members."""

    team = serializers.IntegerField(source="pk", read_only=True, help_text="The number that identifies it.")
    members = serializers.SerializerMethodField()
    n_submissions = serializers.IntegerField(read_only=True)
    limits = TeamLimitSerializer(many=True, read_only=True)

    class Meta:
        model = Team
        fields: ClassVar = ["team", "name", "affiliation", "members", "n_submissions", "limits"]

    def get_members(self, team: Team) -> list[str]:
        return [member.user.get_username() for member in team.members.all()]


class ChallengeEventSerializer(serializers.ModelSerializer):
    """An action of a host."""

    action = serializers.ChoiceField(choices=ChallengeAction.choices, read_only=True)
    actor = serializers.CharField(source="actor_name", read_only=True, help_text="Empty for a command.")
    interface = serializers.ChoiceField(choices=Interface.choices, read_only=True)
    details = serializers.DictField(read_only=True)

    class Meta:
        model = ChallengeEvent
        fields: ClassVar = ["action", "actor", "interface", "reason", "details", "at"]


class ReasonSerializer(serializers.Serializer):
    """The reason of an action."""

    reason = serializers.CharField(max_length=500, help_text="Shown to everybody with the challenge.")


class DeadlineSerializer(ReasonSerializer):
    """A later end of a phase."""

    closes_at = serializers.DateTimeField(help_text="With a time zone; otherwise in UTC.")

    def validate_closes_at(self, closes_at: Any) -> Any:
        if closes_at.year > LATEST_YEAR:
            raise serializers.ValidationError(f"The year must be at most {LATEST_YEAR}.")
        return closes_at


class LimitSerializer(ReasonSerializer):
    """Higher limits of a team in a phase."""

    phase = serializers.CharField(max_length=40, help_text="The name of the phase.")
    per_day = serializers.IntegerField(min_value=1, max_value=10_000)
    in_all = serializers.IntegerField(min_value=1, max_value=1_000_000)


class CopySerializer(serializers.Serializer):
    """The name of a copy."""

    challenge = serializers.SlugField(max_length=40, help_text="Used in URLs.")
