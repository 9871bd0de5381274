"""Forms that select a figure."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from studies.analysis.figures import FOREST_SIZES, MOST_ITEMS, SIZES


class MetricForm(forms.Form):
    """The selector of a figure's metric, bound to the metric shown: the requested one, else the first."""

    metric = forms.ChoiceField(label="Metric")

    def __init__(self, data: QueryDict, *, metrics: Sequence[str]) -> None:
        asked = data.get("metric", "")
        self.chosen = asked if asked in metrics else next(iter(metrics), "")
        super().__init__({"metric": self.chosen})
        self.fields["metric"].choices = [(name, name) for name in metrics]


class FigureForm(forms.Form):
    """The query of a figure's file."""

    metric = forms.CharField()
    size = forms.ChoiceField(choices=[(name, name) for name in SIZES], required=False)
    download = forms.BooleanField(required=False)


class PlotItemsForm(forms.Form):
    """The query for the items behind a point, at most `MOST_ITEMS`."""

    item = forms.TypedMultipleChoiceField(coerce=int)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        asked = [each for each in data.getlist("item")[:MOST_ITEMS] if each.isascii() and each.isdecimal()]
        # Longer numbers are no primary keys.
        self.fields["item"].choices = [(each, each) for each in asked if len(each) < 19]


class ForestForm(forms.Form):
    """The query of the forest plot's file."""

    size = forms.ChoiceField(choices=[(name, name) for name in FOREST_SIZES], required=False)
    download = forms.BooleanField(required=False)
