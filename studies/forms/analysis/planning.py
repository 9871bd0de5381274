"""How large a study must be: the question, what is assumed, a pilot, and prices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField

from studies.analysis.planning import Pilot, Prices
from studies.models import Study

_WHAT: Final = (
    ("metric-difference", "Tell two metrics apart"),
    ("system-difference", "Tell the mean ratings of two systems apart"),
    ("preference", "Tell which of two systems is preferred"),
)
ASSUMED: Final = {
    "first": "Correlation of the first metric with perfectly reliable judgments",
    "second": "Correlation of the second metric",
    "between": "Correlation of the two metrics with each other",
    "reliability": "Reliability of one judgment (ICC1); 1 if empty",
    "difference": "Of mean ratings; with a pilot of metrics, of their coefficients",
    "deviation": "Deviation over images of the true difference",
    "rater_deviation": "Deviation of one rating around that; 0 if empty",
    "share": "Share of decided choices for the better system",
    "ties": "Share of judgments without a preference; 0 if empty",
    "design_effect": "How much items of one image repeat each other; 1 if empty",
    "power": "Chance of finding the difference; 0.8 if empty",
    "alpha": "Level of the two-sided test; 0.05 if empty",
}
"""Name of an assumption -> its label."""

_GROUPS: Final = (
    ("asked", "What is asked", ("what", "pilot")),
    ("pilot", "With a pilot: the two to tell apart", ("first_name", "second_name")),
    ("metric-difference", "Two metrics", ("first", "second", "between", "reliability")),
    ("system-difference", "Two systems by ratings", ("deviation", "rater_deviation")),
    ("difference", "The difference to find", ("difference",)),
    ("preference", "Two systems by choices", ("share", "ties")),
    ("test", "Test and raters", ("power", "alpha", "raters", "design_effect")),
    ("price", "What it costs", ("seconds", "wage", "fee")),
)
"""Name, legend and fields of each part of the form.

Those named as a question are of it alone; the difference is not of a preference.
"""

RESAMPLES: Final = 500


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that stand together; the rest of what a template of forms asks for is the form's own."""

    name: str
    legend: str
    visible_fields: Sequence[BoundField]


def _number(label: str) -> forms.FloatField:
    return forms.FloatField(label=label, required=False, widget=forms.NumberInput(attrs={"step": "any"}))


class PlanForm(forms.Form):
    """An empty field is not assumed: a pilot or a default says it, or the answer tells that it is missing."""

    what = forms.ChoiceField(label="Question", choices=_WHAT)
    pilot = forms.ChoiceField(label="Pilot to estimate from", required=False)
    first_name = forms.CharField(label="First metric or system", required=False, max_length=100)
    second_name = forms.CharField(label="Second metric or system", required=False, max_length=100)
    raters = forms.IntegerField(label="Raters for each item; 1 if empty", required=False, min_value=1, max_value=1000)
    seconds = _number("Seconds of one judgment; of the pilot if empty")
    wage = _number("Wage of an hour; without one there is no cost")
    fee = _number("The panel's fee as a share of rewards; 0 if empty")

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
        """Every field once, in parts."""
        return tuple(FieldGroup(name, legend, [self[each] for each in names]) for name, legend, names in _GROUPS)

    @property
    def question(self) -> dict[str, Any]:
        """What `make_plan` takes."""
        given = self.cleaned_data
        assumed = {name: given[name] for name in (*ASSUMED, "raters") if given[name] is not None}
        names = tuple(filter(None, (given["first_name"].strip(), given["second_name"].strip())))
        study = self.pilots.get(given["pilot"])
        return {
            "assumptions": assumed,
            "pilot": Pilot(study, names, resamples=RESAMPLES) if study else None,
            "prices": Prices(seconds=given["seconds"], wage=given["wage"], fee=given["fee"] or 0.0),
        }
