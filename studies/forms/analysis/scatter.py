"""Which figure to show."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from studies.analysis.figures import SIZES


class MetricForm(forms.Form):
    """The selector beside a figure, bound to the metric that is shown: the one asked for, or else the first."""

    metric = forms.ChoiceField(label="Metric")

    def __init__(self, data: QueryDict, *, metrics: Sequence[str]) -> None:
        asked = data.get("metric", "")
        self.chosen = asked if asked in metrics else next(iter(metrics), "")
        super().__init__({"metric": self.chosen})
        self.fields["metric"].choices = [(name, name) for name in metrics]


class FigureForm(forms.Form):
    """What an address says of a figure's file."""

    metric = forms.CharField()
    size = forms.ChoiceField(choices=[(name, name) for name in SIZES], required=False)
    download = forms.BooleanField(required=False)
