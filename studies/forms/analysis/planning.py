"""The form of the planner: the question, assumptions, a pilot, and prices."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms

from correlation.errors import CorrelationInputError
from studies.analysis.planning import AssumptionsDoNotFit, Pilot, Prices, StudyPlan
from studies.forms.fields.groups import FieldGroup
from studies.models import Study

_WHAT: Final = (
    ("metric-difference", "Does one of two metrics agree better with people?"),
    ("system-difference", "Is one of two systems rated better on average?"),
    ("preference", "Is one of two systems preferred?"),
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
    "power": "Power: the probability of finding the difference if it is there; 0.8 if empty",
    "alpha": "Significance level (two-sided); 0.05 if empty",
}
"""Name of an assumption -> its label."""
_IN_WORDS: Final = {
    "first": "correlation of metric 1",
    "second": "correlation of metric 2",
    "between": "correlation between the metrics",
    "reliability": "reliability of a single judgment",
    "difference": "difference",
    "deviation": "standard deviation between images",
    "rater_deviation": "standard deviation of a rating",
    "share": "proportion of preferences",
    "ties": "proportion without a preference",
    "design_effect": "design effect",
    "power": "power",
    "alpha": "significance level",
    "raters": "raters per item",
    "error": "standard error in the pilot",
    "n_pilot": "images of the pilot",
    "judgments_per_unit": "judgments of an image in the pilot",
}
"""Name of an assumption, also of those that a pilot gives -> its name in sentences."""
_FINDS: Final = {
    "metric-difference": "a difference of {} between the correlations of two metrics with people",
    "system-difference": "a difference of {} between the mean ratings of two systems",
    "preference": "that the better system is preferred in {} of the decided choices",
}
_QUOTED: Final = re.compile(r"`(\w+)`")

_GROUPS: Final = (
    ("asked", "Question", ("what", "pilot")),
    ("pilot", "What the pilot compares", ("first_name", "second_name")),
    ("metric-difference", "Two metrics", ("first", "second", "between", "reliability")),
    ("system-difference", "Two systems, by ratings", ("deviation", "rater_deviation")),
    ("difference", "Difference to detect", ("difference",)),
    ("preference", "Two systems, by preference", ("share", "ties")),
    ("test", "How sure you want to be", ("power", "alpha", "raters", "design_effect")),
    ("price", "Cost", ("seconds", "wage", "fee")),
)
"""Name, legend and fields of each part of the form.

Parts named like a question are for it only; the part `difference` is not for preferences.
"""

RESAMPLES: Final = 500


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
        return tuple(
            FieldGroup([self[each] for each in names], name=name, legend=legend) for name, legend, names in _GROUPS
        )

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

    def explain(self, error: Exception) -> None:
        """Add the error of a plan to the fields that it is about."""
        if isinstance(error, AssumptionsDoNotFit):
            for name in error.missing:
                self.add_error(self._find(name), "This is needed, unless a pilot study is chosen.")
            for name in error.strange:
                self.add_error(self._find(name), "This is not for the chosen question.")
            return
        text = str(error)
        quoted = _QUOTED.match(text)
        if isinstance(error, CorrelationInputError) and quoted and quoted[1] in self.fields:
            rule = text[quoted.end() :].strip()
            self.add_error(quoted[1], f"This {describe(rule)}.")
            return
        # The messages are from the command, whose options have the names of the fields.
        self.add_error(None, f"{describe(text).replace('--', '')}.")

    def _find(self, name: str) -> str | None:
        return name if name in self.fields else None


def describe(text: str) -> str:
    """Return a message with assumptions named as in sentences."""
    return _QUOTED.sub(lambda found: _IN_WORDS.get(found[1], found[1]), text)


def say_plan(made: StudyPlan) -> str:
    """Return what a plan achieves: the power to find the difference.

    >>> from studies.analysis.planning import make_plan
    >>> say_plan(make_plan("preference", assumptions={"share": 0.6}))
    '80 % power to find that the better system is preferred in 60 % of the decided choices'
    """
    plan = made.plan
    effect = f"{max(plan.effect + 0.5, 0.5 - plan.effect):.0%}".replace("%", " %")
    if made.what != "preference":
        effect = f"{abs(plan.effect):.2g}"
    # Rounded down: the power is at least the requested one.
    return f"{int(plan.power * 100)} % power to find {_FINDS[made.what].format(effect)}"


def list_assumptions(made: StudyPlan) -> Mapping[str, str]:
    """Return the assumptions of a plan as text, by their names in sentences."""
    return {_IN_WORDS.get(name, name): f"{value:.4g}" for name, value in made.assumptions.items()}
