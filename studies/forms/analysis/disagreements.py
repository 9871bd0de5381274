"""What an address of the disagreement browser says."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from studies.analysis.disagreeing.ranking import METRICS, PEOPLE, RATERS, Comparison
from studies.analysis.exploring.opening import Facets


class DisagreementForm(forms.Form):
    """Who is compared, and on which items; an empty address is the first metric with people, on all."""

    compare = forms.ChoiceField(
        required=False,
        choices=[
            (PEOPLE, "a metric and people"),
            (METRICS, "two metrics"),
            (RATERS, "raters among themselves"),
        ],
    )
    metric = forms.ChoiceField(required=False)
    other = forms.ChoiceField(required=False, label="Other metric")
    system = forms.ChoiceField(required=False)
    category = forms.ChoiceField(required=False)
    tuples = forms.BooleanField(required=False, label="Show tuples of scene graphs (SPICE)")

    def __init__(self, data: QueryDict, *, metrics: Sequence[str], facets: Facets) -> None:
        super().__init__(data, auto_id="compare_%s", label_suffix="")
        # What an empty address means stands first, by its name.
        chosen = data.get("metric") or next(iter(metrics), "")
        first = {"metric": next(iter(metrics), ""), "other": next((each for each in metrics if each != chosen), "")}
        for name, unsaid in first.items():
            said = [each for each in metrics if each != unsaid or data.get(name) == unsaid]
            self.fields[name].choices = [("", unsaid or "none"), *((each, each) for each in said)]
        for name, known in (("system", facets.systems), ("category", facets.categories)):
            if known:
                self.fields[name].choices = [("", "all"), *((each, each) for each in known)]
            else:
                del self.fields[name]

    @property
    def comparison(self) -> Comparison:
        """The comparison of a valid form."""
        chosen = self.cleaned_data
        return Comparison(
            kind=chosen["compare"] or PEOPLE,
            metric=chosen["metric"],
            other=chosen["other"],
            systems=(chosen["system"],) if chosen.get("system") else (),
            categories=(chosen["category"],) if chosen.get("category") else (),
        )
