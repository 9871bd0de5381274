"""Serializers of the correlation explorer."""

from rest_framework import serializers

from studies.analysis.explorer.loaded_study import Facets
from studies.api.serializers.values import serializer_of
from studies.enums import WorkState

FacetsSerializer = serializer_of(Facets, name="Facets")


class ProgressSerializer(serializers.Serializer):
    """The progress of background work."""

    state = serializers.ChoiceField(choices=WorkState.choices)
    what = serializers.CharField(help_text="The current step.")
    n_done = serializers.IntegerField()
    n_steps = serializers.IntegerField()
    problem = serializers.CharField(help_text="Why it failed.")


class ExploredSerializer(serializers.Serializer):
    """The report for the given options, with the intervals computed so far."""

    query = serializers.CharField(help_text="The options as in the page's URL.")
    judged = serializers.CharField(help_text="The study whose judgments these are.")
    n_items = serializers.IntegerField()
    n_judgments = serializers.IntegerField()
    n_raters = serializers.IntegerField()
    n_excluded = serializers.IntegerField(help_text="Excluded raters of the subset.")
    unscored = serializers.ListField(child=serializers.CharField(), help_text="Applicable metrics without scores.")
    report = serializers.DictField(help_text="As in a frozen report's JSON.")
    facets = FacetsSerializer(help_text="The subsets of judgments that can be selected.")
    progress = ProgressSerializer(allow_null=True, help_text="null if nothing is being computed.")


class UniverseSerializer(serializers.Serializer):
    """One way to analyse, with values and ranks in the order of the metrics; null if undefined."""

    aggregation = serializers.CharField()
    level = serializers.CharField()
    coefficient = serializers.CharField()
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))
    ranks = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class RanksSerializer(serializers.Serializer):
    """The multiverse, once it is computed."""

    metrics = serializers.ListField(child=serializers.CharField())
    wins = serializers.ListField(
        child=serializers.FloatField(), help_text="Proportion of universes in which each ranks first."
    )
    universes = UniverseSerializer(many=True)
    progress = ProgressSerializer(allow_null=True)
