"""Serializers for analyses and their results."""

from rest_framework import serializers

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.defaults import RESAMPLES
from correlation.protocols.defaults import NONE, Inference
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS
from studies.analysis.agreement import StudyAgreement
from studies.analysis.correlations import StudyObservations
from studies.analysis.preregistration.inference import choose_study_inference
from studies.api.serializers.values import serializer_of

MOST_RESAMPLES = 5000
"""The maximum number of resamples in a request; use `manage.py correlate` for more."""

TEST_CHOICES = [NONE, *sorted(TESTS)]

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
    caution = serializers.CharField(
        allow_null=True, help_text="Why the number must be read with care, such as too few images."
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
    """The options of `correlate`; what is left out is the default, and `none` is no interval or no test."""

    metrics = serializers.ListField(
        child=serializers.CharField(max_length=100), required=False, default=list, help_text="Empty for all."
    )
    method = serializers.ChoiceField(choices=[NONE, *sorted(INTERVALS)], required=False, default=None, allow_null=True)
    clusters = serializers.ListField(child=serializers.ChoiceField(choices=sorted(AXES)), required=False, default=list)
    test = serializers.ChoiceField(choices=TEST_CHOICES, required=False, default=None, allow_null=True)
    correction = serializers.ChoiceField(choices=sorted(CORRECTIONS), required=False, default=None, allow_null=True)
    resamples = serializers.IntegerField(
        min_value=1,
        max_value=MOST_RESAMPLES,
        required=False,
        default=None,
        allow_null=True,
        help_text="null: 1,000 for intervals, as many as needed for tests.",
    )

    def choose_inference(self, gathered: StudyObservations) -> Inference:
        """Return the interval and the test; raise CorrelationInputError if they contradict each other."""
        chosen = self.validated_data
        return choose_study_inference(
            gathered.study,
            gathered.protocol,
            n_metrics=len(gathered.metrics),
            method=chosen["method"] or "",
            resampled=tuple(chosen["clusters"]),
            test=chosen["test"] or "",
            correction=chosen["correction"] or "",
            resamples=chosen["resamples"],
        )


class CompareSerializer(CorrelateSerializer):
    """The options of `compare`; two or more metrics, or none for all."""


class ProblemSerializer(serializers.Serializer):
    """An error (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = serializers.ListField(child=serializers.DictField(), required=False)
