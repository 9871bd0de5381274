"""Serializers of leaderboards, results of people and scores over time."""

from collections.abc import Container, Mapping
from typing import Any

from rest_framework import serializers

from challenges.baselines.notes import list_notes
from challenges.board.history import Past, Standing
from challenges.board.ranking import Board, Column, Entry
from challenges.board.shown import name_column
from challenges.enums import BaselineKind
from challenges.models import Phase


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
