"""Serializers of items on which two sides differ most, with explanations."""

from rest_framework import serializers

from metrics_plugins.text.common_ngrams import MarkedWord
from studies.analysis.disagreements.shown_items import SideScore, Votes
from studies.api.serializers.values import serializer_of

MarkedWordSerializer = serializer_of(MarkedWord, name="MarkedWord")
VotesSerializer = serializer_of(Votes, name="Votes")
SideScoreSerializer = serializer_of(SideScore, name="SideScore")


class NamedTupleSerializer(serializers.Serializer):
    """One tuple of a scene graph, and whether the other side has a similar one."""

    kind = serializers.CharField(help_text="object, attribute or relation")
    parts = serializers.ListField(
        child=serializers.CharField(), help_text="For a relation, with its name in the middle."
    )
    is_matched = serializers.BooleanField()


class TuplesSerializer(serializers.Serializer):
    """A caption's tuples, and those of the references without a similar tuple in the caption."""

    candidate = NamedTupleSerializer(many=True)
    missed = NamedTupleSerializer(many=True)


class ShownCaptionSerializer(serializers.Serializer):
    """A caption with its words as tokenized for n-gram metrics; `run` is the length of a shared run, 0 for none."""

    system = serializers.CharField()
    text = serializers.CharField()
    words = MarkedWordSerializer(many=True)
    tuples = TuplesSerializer(allow_null=True, help_text="null unless requested.")


class ShownItemSerializer(serializers.Serializer):
    """One item; percentiles are in percent of all items, null for pairs."""

    rank = serializers.IntegerField(help_text="From 1.")
    id = serializers.IntegerField(source="item.pk")
    key = serializers.CharField(source="item.key")
    category = serializers.CharField(source="item.category")
    image = serializers.CharField(source="item.image.key")
    apart = serializers.FloatField(source="size", help_text="The difference between the two sides.")
    captions = ShownCaptionSerializer(many=True)
    references = serializers.ListField(child=MarkedWordSerializer(many=True))
    votes = VotesSerializer(many=True)
    n_votes = serializers.IntegerField()
    mean = serializers.FloatField()
    percentile = serializers.FloatField(allow_null=True)
    scores = SideScoreSerializer(many=True)


class ComparedSerializer(serializers.Serializer):
    """The comparison: the ids of the metrics used, empty if none is compared."""

    compare = serializers.CharField(source="comparison.kind")
    metric = serializers.CharField(source="comparison.metric")
    other = serializers.CharField(source="comparison.other")
    is_pairwise = serializers.BooleanField()
    n_missing = serializers.IntegerField(help_text="Items that cannot be compared.")


class DisagreementsSerializer(serializers.Serializer):
    """A page of items, sorted by the difference of the sides, largest first."""

    compared = ComparedSerializer()
    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = ShownItemSerializer(many=True)
