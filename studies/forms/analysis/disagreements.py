"""The query of the disagreement browser as a form."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from studies.analysis.disagreements.ranking import METRICS, PEOPLE, RATERS, Comparison
from studies.analysis.explorer.loaded_study import Facets


class DisagreementForm(forms.Form):
    """The comparison and its items; by default the first metric with people, on all items."""

    compare = forms.ChoiceField(
        required=False,
        choices=[
            (PEOPLE, "metric vs. raters"),
            (METRICS, "metric vs. metric"),
            (RATERS, "raters vs. raters"),
        ],
    )
    metric = forms.ChoiceField(required=False)
    other = forms.ChoiceField(required=False, label="Other metric")
    system = forms.ChoiceField(required=False)
    category = forms.ChoiceField(required=False)
    tuples = forms.BooleanField(required=False, label="Show scene-graph tuples (SPICE)")

    def __init__(self, data: QueryDict, *, metrics: Sequence[str], facets: Facets) -> None:
        super().__init__(data, auto_id="compare_%s", label_suffix="")
        # List the default first, by name.
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
        """The comparison, for a valid form."""
        chosen = self.cleaned_data
        return Comparison(
            kind=chosen["compare"] or PEOPLE,
            metric=chosen["metric"],
            other=chosen["other"],
            systems=(chosen["system"],) if chosen.get("system") else (),
            categories=(chosen["category"],) if chosen.get("category") else (),
        )
