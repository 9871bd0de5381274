"""Serializers for rankings of systems."""

from rest_framework import serializers

from correlation.comparison.multiple import CORRECTIONS
from correlation.defaults import RESAMPLES
from correlation.ranking.values import SystemRanking
from studies.api.serializers.analysis import MOST_RESAMPLES
from studies.api.serializers.values import serializer_of


class RankSerializer(serializers.Serializer):
    """The options of a ranking; what is left out is the default."""

    correction = serializers.ChoiceField(
        choices=sorted(CORRECTIONS),
        required=False,
        default="",
        allow_blank=True,
        help_text="Over all pairs of systems; by default the preregistered one, else Holm's.",
    )
    resamples = serializers.IntegerField(min_value=2, max_value=MOST_RESAMPLES, required=False, default=RESAMPLES)
    seed = serializers.IntegerField(min_value=0, max_value=2**32 - 1, required=False, default=0)


class RankingSerializer(serializer_of(SystemRanking, name="SystemRanking")):  # type: ignore[misc]
    """One ranking: by one measure and criterion, the best system first."""

    title = serializers.CharField(help_text="The name of the measure.")
    signature = serializers.CharField(help_text="All choices behind the numbers.")


class StudyRankingSerializer(serializers.Serializer):
    """The rankings of a study: for each criterion one or, by different measures, several, the main one first."""

    format = serializers.CharField()
    study = serializers.CharField()
    kind = serializers.CharField()
    rankings = RankingSerializer(many=True)
    n_left_out = serializers.IntegerField(help_text="Comparisons of a system with itself.")
