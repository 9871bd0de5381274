"""The form of the planner: the question, assumptions, a pilot, and prices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField

from studies.analysis.planning import Pilot, Prices
from studies.models import Study

_WHAT: Final = (
    ("metric-difference", "Compare two metrics"),
    ("system-difference", "Compare the mean ratings of two systems"),
    ("preference", "Compare two systems by preference"),
)
ASSUMED: Final = {
    "first": "Correlation of metric 1 with perfectly reliable judgments",
    "second": "Correlation of metric 2",
    "between": "Correlation between the two metrics",
    "reliability": "Reliability of a single judgment (ICC1); 1 if empty",
    "difference": "Difference in mean ratings or, with a pilot for metrics, in correlations",
    "deviation": "Standard deviation of the true difference between images",
    "rater_deviation": "Standard deviation of a single rating around it; 0 if empty",
    "share": "Proportion of preferences for the better system",
    "ties": "Proportion of judgments without a preference; 0 if empty",
    "design_effect": "Design effect of several items per image; 1 if empty",
    "power": "Power; 0.8 if empty",
    "alpha": "Significance level (two-sided); 0.05 if empty",
}
"""Name of an assumption -> its label."""

_GROUPS: Final = (
    ("asked", "Question", ("what", "pilot")),
    ("pilot", "Pilot: the two to compare", ("first_name", "second_name")),
    ("metric-difference", "Two metrics", ("first", "second", "between", "reliability")),
    ("system-difference", "Two systems, by ratings", ("deviation", "rater_deviation")),
    ("difference", "Difference to detect", ("difference",)),
    ("preference", "Two systems, by preference", ("share", "ties")),
    ("test", "Test and raters", ("power", "alpha", "raters", "design_effect")),
    ("price", "Cost", ("seconds", "wage", "fee")),
)
"""Name, legend and fields of each part of the form.

Parts named like a question are for it only; the part `difference` is not for preferences.
"""

RESAMPLES: Final = 500


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """A group of fields; `visible_fields` is named as in forms, so that form templates accept groups too."""

    name: str
    legend: str
    visible_fields: Sequence[BoundField]


def _number(label: str) -> forms.FloatField:
    return forms.FloatField(label=label, required=False, widget=forms.NumberInput(attrs={"step": "any"}))


class PlanForm(forms.Form):
    """Empty fields are estimated from the pilot or have defaults; otherwise the plan reports them as missing."""

    what = forms.ChoiceField(label="Question", choices=_WHAT)
    pilot = forms.ChoiceField(label="Pilot study", required=False)
    first_name = forms.CharField(label="First metric or system", required=False, max_length=100)
    second_name = forms.CharField(label="Second metric or system", required=False, max_length=100)
    raters = forms.IntegerField(label="Raters per item; 1 if empty", required=False, min_value=1, max_value=1000)
    seconds = _number("Seconds per judgment; from the pilot if empty")
    wage = _number("Hourly wage; no cost is computed if empty")
    fee = _number("Panel fee, as a fraction of rewards; 0 if empty")

    def __init__(self, *args: Any, pilots: Sequence[Study], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pilots = {study.name: study for study in pilots}
        choices = [("", "none"), *((name, study.title) for name, study in self.pilots.items())]
        self.fields["pilot"].choices = choices  # type: ignore[attr-defined]
        for name, label in ASSUMED.items():
            self.fields[name] = _number(label)
        self.order_fields(["what", "pilot", "first_name", "second_name", *ASSUMED, "raters", "seconds", "wage", "fee"])

    @property
    def groups(self) -> tuple[FieldGroup, ...]:
        """All fields in groups."""
        return tuple(FieldGroup(name, legend, [self[each] for each in names]) for name, legend, names in _GROUPS)

    @property
    def question(self) -> dict[str, Any]:
        """The arguments of `make_plan`."""
        given = self.cleaned_data
        assumed = {name: given[name] for name in (*ASSUMED, "raters") if given[name] is not None}
        names = tuple(filter(None, (given["first_name"].strip(), given["second_name"].strip())))
        study = self.pilots.get(given["pilot"])
        return {
            "assumptions": assumed,
            "pilot": Pilot(study, names, resamples=RESAMPLES) if study else None,
            "prices": Prices(seconds=given["seconds"], wage=given["wage"], fee=given["fee"] or 0.0),
        }
