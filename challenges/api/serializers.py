"""Serializers of challenges, phases and submissions."""

from typing import Any, ClassVar

from rest_framework import serializers

from challenges.enums import ENDED, ChallengeState, EntryRule, ResultsVisibility, SubmissionState
from challenges.models import Challenge, Phase, PhaseMetric, PhaseReferences, Submission, SubmissionScore
from metrics_plugins.readers.results import MAX_BYTES


class PhaseMetricSerializer(serializers.ModelSerializer):
    """A metric of a phase with the parameters that differ from their defaults."""

    params = serializers.DictField(read_only=True)

    class Meta:
        model = PhaseMetric
        fields: ClassVar = ["metric", "params"]


class PhaseReferencesSerializer(serializers.ModelSerializer):
    """A set of references; the references themselves are private."""

    class Meta:
        model = PhaseReferences
        fields: ClassVar = ["name", "start", "count"]


class PhaseSerializer(serializers.ModelSerializer):
    """A phase: its dates, limits, metrics and references; the first metric and references rank."""

    phase = serializers.CharField(source="slug", read_only=True)
    visibility = serializers.ChoiceField(choices=ResultsVisibility.choices, read_only=True)
    entry_rule = serializers.ChoiceField(choices=EntryRule.choices, read_only=True)
    metrics = PhaseMetricSerializer(many=True, read_only=True)
    references = PhaseReferencesSerializer(many=True, read_only=True)

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
            "visibility",
            "decimals",
            "entry_rule",
            "shows_intervals",
            "metrics",
            "references",
        ]


class UsageSerializer(serializers.Serializer):
    """How many submissions the team has made and may make. Failed and cancelled ones do not count."""

    today = serializers.IntegerField()
    per_day = serializers.IntegerField()
    made = serializers.IntegerField()
    in_all = serializers.IntegerField()
    left = serializers.IntegerField(help_text="How many the team may make now.")
    next_day = serializers.DateTimeField(help_text="When the present day ends in the time zone of the phase.")


class PhaseDetailSerializer(PhaseSerializer):
    """A phase with the rules for its files, which `check-results --challenge` reads."""

    file_name = serializers.CharField(help_text="The pattern of the name of a file.")
    image_ids = serializers.ListField(
        child=serializers.JSONField(), help_text="The images that need captions: whole numbers or texts."
    )
    captions_per_image = serializers.IntegerField()
    max_characters = serializers.IntegerField(help_text="The longest caption.")
    allow_empty = serializers.BooleanField(help_text="Whether a caption may be empty.")
    usage = UsageSerializer(allow_null=True, help_text="Null without a team.")

    class Meta(PhaseSerializer.Meta):
        fields: ClassVar = [
            *PhaseSerializer.Meta.fields,
            "file_name",
            "captions_per_image",
            "max_characters",
            "allow_empty",
            "usage",
            "image_ids",
        ]


class ChallengeSerializer(serializers.ModelSerializer):
    """A challenge in a list."""

    challenge = serializers.CharField(source="slug", read_only=True)
    state = serializers.ChoiceField(choices=ChallengeState.choices, read_only=True)

    class Meta:
        model = Challenge
        fields: ClassVar = ["challenge", "title", "state"]


class ChallengeDetailSerializer(ChallengeSerializer):
    """A challenge with its phases."""

    phases = PhaseSerializer(many=True, read_only=True)

    class Meta(ChallengeSerializer.Meta):
        fields: ClassVar = [*ChallengeSerializer.Meta.fields, "description", "terms", "team_size", "phases"]


class ScoreSerializer(serializers.ModelSerializer):
    """The score of a submission by one metric with one set of references."""

    value = serializers.SerializerMethodField(help_text="Rounded as the phase says; null if undefined.")

    class Meta:
        model = SubmissionScore
        fields: ClassVar = ["metric", "references", "value", "n_images", "signature"]

    def get_value(self, score: SubmissionScore) -> float | None:
        return None if score.value is None else round(score.value, self.context["decimals"])


class SubmissionSerializer(serializers.ModelSerializer):
    """A submission of a team; `scored`, `failed` and `cancelled` are final states."""

    submission = serializers.CharField(source="token", read_only=True, help_text="The token that identifies it.")
    phase = serializers.CharField(source="phase.slug", read_only=True)
    team = serializers.CharField(source="team.name", read_only=True)
    state = serializers.ChoiceField(choices=SubmissionState.choices, read_only=True)
    is_final = serializers.SerializerMethodField()
    scores = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields: ClassVar = [
            "submission",
            "phase",
            "team",
            "name",
            "description",
            "n_bytes",
            "digest",
            "state",
            "is_final",
            "reason",
            "disqualified_because",
            "is_hidden",
            "created_at",
            "finished_at",
            "scores",
        ]

    def get_is_final(self, submission: Submission) -> bool:
        return submission.state in ENDED

    def get_scores(self, submission: Submission) -> ScoreSerializer(many=True):  # type: ignore[valid-type]
        context = {"decimals": submission.phase.decimals}
        return ScoreSerializer(submission.scores.all(), many=True, context=context).data


class SubmissionProgressSerializer(serializers.Serializer):
    """How far the scoring of a submission is."""

    n_ahead = serializers.IntegerField(help_text="Submissions before it in line.")
    doing = serializers.CharField(help_text="What is being done at the moment.")
    n_done = serializers.IntegerField()
    n_total = serializers.IntegerField(help_text="Scores in total; 0 if unknown.")
    seconds_left = serializers.IntegerField(allow_null=True, help_text="Estimated; null if unknown.")


class SubmissionDetailSerializer(SubmissionSerializer):
    """A submission with its progress."""

    progress = serializers.SerializerMethodField(help_text="Null before and after scoring.")
    n_received = serializers.SerializerMethodField(
        help_text="How many bytes of an upload have arrived: where the next part begins."
    )

    class Meta(SubmissionSerializer.Meta):
        fields: ClassVar = [*SubmissionSerializer.Meta.fields, "progress", "n_received"]

    def get_progress(self, _: Submission) -> SubmissionProgressSerializer(allow_null=True):  # type: ignore[valid-type]
        job = self.context.get("progress")
        return SubmissionProgressSerializer(job).data if job else None

    def get_n_received(self, submission: Submission) -> int:
        return int(self.context.get("n_received", submission.n_bytes))


class NewUploadSerializer(serializers.Serializer):
    """An upload in parts."""

    name = serializers.CharField(max_length=200, help_text="The name of the file, which ends with .json or .zip.")
    n_bytes = serializers.IntegerField(min_value=1, max_value=MAX_BYTES, help_text="The size of the file.")
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)

    def validate_name(self, name: str) -> str:
        return check_name(name)


class ReceivedSerializer(serializers.Serializer):
    """What has arrived of an upload."""

    n_received = serializers.IntegerField(help_text="How many bytes have arrived: where the next part begins.")
    block = serializers.IntegerField(help_text="The bytes of a block.")
    sha256 = serializers.ListField(
        child=serializers.CharField(), help_text="The SHA-256 of each block of them in hex; the last may be shorter."
    )


class NewSubmissionSerializer(serializers.Serializer):
    """A whole file, as `multipart/form-data`."""

    file = serializers.FileField(help_text="COCO results in JSON, or a zip file with one such file.")
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)

    def validate_file(self, file: Any) -> Any:
        check_name(file.name)
        return file


class RawQuerySerializer(serializers.Serializer):
    """The query beside a file that is the body of a request."""

    name = serializers.CharField(max_length=200, required=False, default="results.json")
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)

    def validate_name(self, name: str) -> str:
        return check_name(name)


def check_name(name: str) -> str:
    """Return the name of a file of results; raise ValidationError if it is none."""
    if not name.lower().endswith((".json", ".zip")):
        raise serializers.ValidationError("The name must end with .json or .zip.")
    return name
