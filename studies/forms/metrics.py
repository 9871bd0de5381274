"""The form that filters the list of installed metrics."""

from collections.abc import Iterable
from typing import Any

from django import forms

from metrics_plugins.api import Input, Level
from studies.scoring.plugins.installed import InstalledMetric


class MetricFilterForm(forms.Form):
    """A search term and properties of metrics; invalid values are ignored."""

    q = forms.CharField(label="Search", required=False, max_length=100)
    level = forms.ChoiceField(
        label="Level", required=False, choices=[("", "any"), *((each.value, each.value) for each in Level)]
    )
    reads = forms.ChoiceField(
        label="Inputs", required=False, choices=[("", "anything"), *((each.value, each.value) for each in Input)]
    )
    group = forms.ChoiceField(label="Family or package", required=False)

    def __init__(self, *args: Any, metrics: Iterable[InstalledMetric], **rest: Any) -> None:
        super().__init__(*args, **rest)
        groups = dict.fromkeys(metric.group for metric in metrics)
        self.fields["group"].choices = [("", "all"), *((name, name) for name in groups)]

    @property
    def chosen(self) -> dict[str, str]:
        """The requested filters, without invalid values."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, "") for name in self.fields}
