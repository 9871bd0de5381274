"""Serializers of what the correlation explorer shows."""

from rest_framework import serializers

from studies.analysis.exploring.opening import Facets
from studies.api.serializers.values import serializer_of
from studies.enums import WorkState

FacetsSerializer = serializer_of(Facets, name="Facets")


class ProgressSerializer(serializers.Serializer):
    """How far work in the background is."""

    state = serializers.ChoiceField(choices=WorkState.choices)
    what = serializers.CharField(help_text="The step that began last.")
    n_done = serializers.IntegerField()
    n_steps = serializers.IntegerField()
    problem = serializers.CharField(help_text="Why it failed.")


class ExploredSerializer(serializers.Serializer):
    """The report of what was chosen, with the intervals that are there by now."""

    query = serializers.CharField(help_text="The choice as it stands in the page's address.")
    judged = serializers.CharField(help_text="The study whose judgments these are.")
    n_items = serializers.IntegerField()
    n_judgments = serializers.IntegerField()
    n_raters = serializers.IntegerField()
    n_excluded = serializers.IntegerField(help_text="Raters of the slice who are left out.")
    unscored = serializers.ListField(child=serializers.CharField(), help_text="Metrics that fit and have no scores.")
    report = serializers.DictField(help_text="As in a frozen report's JSON.")
    facets = FacetsSerializer(help_text="What the judgments can be sliced by.")
    progress = ProgressSerializer(allow_null=True, help_text="null where nothing is on its way.")


class UniverseSerializer(serializers.Serializer):
    """One way to analyse: values and ranks in the order of the metrics; null where undefined."""

    aggregation = serializers.CharField()
    level = serializers.CharField()
    coefficient = serializers.CharField()
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))
    ranks = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class RanksSerializer(serializers.Serializer):
    """The multiverse once it is there."""

    metrics = serializers.ListField(child=serializers.CharField())
    wins = serializers.ListField(child=serializers.FloatField(), help_text="Share of universes that each wins.")
    universes = UniverseSerializer(many=True)
    progress = ProgressSerializer(allow_null=True)
