"""Serializers of challenges, phases, submissions and leaderboards."""

from collections.abc import Container, Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from challenges.baselines.notes import list_notes
from challenges.board.history import Past, Standing
from challenges.board.ranking import Board, Column, Entry
from challenges.board.shown import name_column
from challenges.enums import ENDED, BaselineKind, ChallengeState, EntryRule, ResultsVisibility, SubmissionState
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


class BoardColumnSerializer(serializers.Serializer):
    """A metric with a set of references."""

    name = serializers.SerializerMethodField(help_text="What `order` takes.")
    metric = serializers.CharField()
    references = serializers.CharField()
    higher_is_better = serializers.BooleanField()

    def get_name(self, column: Column) -> str:
        return name_column(column)


class BoundsSerializer(serializers.Serializer):
    """A 95 % interval over images, with rounded ends."""

    low = serializers.FloatField()
    high = serializers.FloatField()


class HumanCellSerializer(serializers.Serializer):
    """The judgments of one entry by one criterion."""

    value = serializers.FloatField(help_text="A share, or the mean of ratings.")
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval of a share; null for means.")
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Judgments that count.")
    n_raters = serializers.IntegerField()
    strength = serializers.FloatField(
        allow_null=True, help_text="Of `wins`: log strength by the Bradley-Terry model; null for other criteria."
    )


class HumanCellsField(serializers.ListField):
    """Cells in the order of the columns of human results."""

    child = HumanCellSerializer(allow_null=True)


class HumanColumnSerializer(serializers.Serializer):
    """A criterion by which people judged entries."""

    criterion = serializers.CharField(help_text="M1 to M5, or `wins`.")
    title = serializers.CharField(help_text="The meaning of `value`.")
    n_images = serializers.IntegerField()
    is_final = serializers.BooleanField(help_text="Whether the study is closed.")
    at = serializers.DateTimeField(help_text="When it was computed.")


class HumanOtherSerializer(serializers.Serializer):
    """A judged submission that is not on the board any more."""

    team = serializers.CharField()
    cells = HumanCellsField()


class HumanResultsSerializer(serializers.Serializer):
    """Results of human studies; those of entries are in `entries`."""

    columns = HumanColumnSerializer(many=True)
    people = HumanCellsField(help_text="Human captions, by the criteria where they are judged by themselves.")
    others = HumanOtherSerializer(many=True, help_text="Judged submissions whose teams have other entries by now.")
    pending = serializers.ListField(child=serializers.CharField(), help_text="Criteria that are being computed.")
    n_stored = serializers.IntegerField(help_text="How many of the first columns the digest of a final board covers.")


class BoardEntrySerializer(serializers.Serializer):
    """The entry of a team."""

    rank = serializers.IntegerField(allow_null=True, help_text="Equal values share one; null for baselines.")
    team = serializers.CharField(help_text="`Anonymous` while names are hidden.")
    team_number = serializers.SerializerMethodField(
        help_text="What addresses of the team's scores over time take; null while names are hidden."
    )
    is_own = serializers.SerializerMethodField()
    is_baseline = serializers.BooleanField()
    at = serializers.DateTimeField()
    values = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="In the order of the columns; null if undefined."
    )
    intervals = serializers.ListField(
        child=BoundsSerializer(allow_null=True),
        help_text="In the order of the columns; null for scores that are neither means nor computed from sums "
        "over images. Empty if the phase shows none, or they are being computed.",
    )
    clusters = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text="1 is the best; entries of different clusters differ significantly. Otherwise as `intervals`.",
    )

    human = serializers.SerializerMethodField(help_text="In the order of the columns of human results.")

    def get_human(self, entry: Entry) -> HumanCellsField:
        cells = self.context["human"].get(entry.submission, ())
        return HumanCellsField().to_representation(cells)

    def get_team_number(self, entry: Entry) -> int | None:
        found: int | None = self.context["teams"].get(entry.submission)
        return found

    def get_is_own(self, entry: Entry) -> bool:
        return entry.submission in self.context["own"]


class BaselineNoteSerializer(serializers.Serializer):
    """A baseline of the hosts."""

    team = serializers.CharField(source="name", help_text="The name of its entry.")
    kind = serializers.ChoiceField(choices=BaselineKind.choices)
    text = serializers.CharField(help_text="Where its captions come from, and what this means for its scores.")


class LeaderboardSerializer(serializers.Serializer):
    """The entries of a phase from the best to the worst by one column."""

    phase = serializers.CharField()
    order = serializers.CharField(help_text="The column that ranks.")
    is_final = serializers.BooleanField()
    digest = serializers.CharField(help_text="SHA-256 of the final leaderboard; empty before.")
    intervals_at = serializers.DateTimeField(allow_null=True, help_text="When intervals were computed; null if not.")
    columns = BoardColumnSerializer(many=True)
    human = HumanResultsSerializer(allow_null=True, help_text="Null if none are shown.")
    entries = BoardEntrySerializer(many=True)
    baselines = BaselineNoteSerializer(many=True, help_text="Notes on entries that are baselines.")


def describe_board(phase: Phase, board: Board, order: Column | None) -> dict[str, Any]:
    """Return what a `LeaderboardSerializer` shows."""
    return {
        "phase": phase.slug,
        "order": name_column(order) if order else "",
        "is_final": phase.frozen_at is not None,
        "digest": phase.frozen_digest,
        "intervals_at": board.intervals_at,
        "columns": board.columns,
        "human": board.human,
        "entries": board.entries,
        "baselines": list_notes(board, phase),
    }


def make_board_context(board: Board, *, own: Container[int], teams: Mapping[int, int]) -> dict[str, Any]:
    """Return the context of a `LeaderboardSerializer`: own submissions, and teams and human results by submission."""
    submissions = [each.submission for each in board.entries]
    cells = zip(submissions, board.human.list_cells(submissions), strict=True) if board.human else ()
    return {"own": own, "teams": teams, "human": dict(cells)}


class PastSerializer(serializers.Serializer):
    """A scored submission of a team."""

    submission = serializers.SerializerMethodField(help_text="Its token, for the team and the hosts; null for others.")
    at = serializers.DateTimeField(source="submission.created_at")
    values = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="In the order of the columns; null if undefined."
    )
    is_entry = serializers.SerializerMethodField(help_text="Whether it is on the leaderboard.")
    is_left_out = serializers.SerializerMethodField(
        help_text="Whether the team hides it or the hosts disqualified it; others do not see such submissions."
    )

    def get_submission(self, past: Past) -> str | None:
        return past.submission.token if self.context["is_inside"] else None

    def get_is_entry(self, past: Past) -> bool:
        return past.standing is Standing.ENTRY

    def get_is_left_out(self, past: Past) -> bool:
        return past.standing is Standing.LEFT_OUT


class HistorySerializer(serializers.Serializer):
    """The scored submissions of a team in a phase, from the first to the last."""

    phase = serializers.CharField()
    team = serializers.CharField()
    columns = BoardColumnSerializer(many=True)
    submissions = PastSerializer(many=True)
