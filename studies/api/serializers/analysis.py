"""Serializers for analyses and their results."""

from rest_framework import serializers

from correlation.comparison.methods import TESTS, ComparisonRequest, choose_resamples
from correlation.comparison.multiple import CORRECTIONS
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS, IntervalRequest
from studies.analysis.agreement import StudyAgreement
from studies.api.serializers.values import serializer_of

MOST_RESAMPLES = 5000
"""The maximum number of resamples in a request; use `manage.py correlate` for more."""
RESAMPLES = 1000

AgreementSerializer = serializer_of(StudyAgreement, name="Agreement")


class ResultSerializer(serializers.Serializer):
    """One number: the agreement of one metric with people, under one protocol."""

    study = serializers.CharField(help_text="The study whose judgments these are.")
    protocol = serializers.CharField(help_text="Name and version.")
    metric = serializers.CharField()
    coefficient = serializers.CharField()
    level = serializers.CharField()
    category = serializers.CharField(allow_null=True)
    value = serializers.FloatField(allow_null=True, help_text="In [-1, 1]; accuracy, AUC in [0, 1]; null: undefined.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Observations used.")
    n_missing = serializers.IntegerField(help_text="Observations without a score.")
    p_value = serializers.FloatField(
        allow_null=True, help_text="For zero correlation, of Pearson over systems; null: not computed."
    )
    signature = serializers.CharField(help_text="All choices behind the number.")


class ProtocolSerializer(serializers.Serializer):
    """A protocol, and changes of its options."""

    protocol = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    options = serializers.ListField(
        child=serializers.CharField(max_length=200), required=False, default=list, help_text="`OPTION=VALUE` each."
    )
    resamples = serializers.IntegerField(min_value=1, max_value=MOST_RESAMPLES, required=False, default=RESAMPLES)
    seed = serializers.IntegerField(min_value=0, max_value=2**32 - 1, required=False, default=0)


class CorrelateSerializer(ProtocolSerializer):
    """The options of `correlate`; without a method there are no intervals, without a test no comparisons."""

    metrics = serializers.ListField(
        child=serializers.CharField(max_length=100), required=False, default=list, help_text="Empty for all."
    )
    method = serializers.ChoiceField(choices=sorted(INTERVALS), required=False, default=None, allow_null=True)
    clusters = serializers.ListField(child=serializers.ChoiceField(choices=sorted(AXES)), required=False, default=list)
    test = serializers.ChoiceField(choices=sorted(TESTS), required=False, default=None, allow_null=True)
    correction = serializers.ChoiceField(choices=sorted(CORRECTIONS), required=False, default="holm")

    def make_interval(self) -> IntervalRequest | None:
        """Return the options of intervals; raise CorrelationInputError if they contradict each other."""
        chosen = self.validated_data
        if not chosen["method"]:
            return None
        return IntervalRequest(chosen["method"], tuple(chosen["clusters"]), n_resamples=chosen["resamples"])

    def make_comparison(self, *, default: str | None = None) -> ComparisonRequest | None:
        """Return the test of differences; None for no test."""
        chosen = self.validated_data
        test = chosen["test"] or default
        if test is None:
            return None
        axes = (tuple(chosen["clusters"]) or ("images",)) if test == "bootstrap" else ()
        return ComparisonRequest(test, axes, n_resamples=chosen["resamples"], correction=chosen["correction"])


class CompareSerializer(CorrelateSerializer):
    """The options of `compare`; two or more metrics, or none for all."""

    resamples = serializers.IntegerField(
        min_value=1, max_value=MOST_RESAMPLES, required=False, default=choose_resamples(1)
    )


class ProblemSerializer(serializers.Serializer):
    """An error (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = serializers.ListField(child=serializers.DictField(), required=False)
