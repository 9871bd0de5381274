"""The form for the content of a report."""

from typing import Any, Final

from django import forms

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.named import PROTOCOLS
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS
from studies.design.protocols import explain_misfit
from studies.models import Study
from studies.publishing.methods import vocabulary
from studies.publishing.report_jobs import ReportChoices, list_scored_metrics

MOST_RESAMPLES: Final = 100_000
_NO_METHOD: Final = [("", "none")]


class ReportForm(forms.Form):
    """The options of a report; contradicting ones are rejected before anything is computed."""

    protocol = forms.ChoiceField(label="Protocol", required=False)
    metrics = forms.MultipleChoiceField(
        label="Metrics",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leave empty for the preregistered metrics; without a preregistration, for all metrics with scores.",
    )
    method = forms.ChoiceField(
        label="Intervals",
        required=False,
        initial="percentile",
        choices=[*_NO_METHOD, *((name, vocabulary.METHODS[name]) for name in INTERVALS)],
    )
    clusters = forms.MultipleChoiceField(
        label="Resampled units",
        required=False,
        initial=["images"],
        choices=[(axis, axis) for axis in AXES],
        widget=forms.CheckboxSelectMultiple,
        help_text="Units resampled by the bootstrap. Captions of the same image are not independent, so images "
        "should be resampled.",
    )
    test = forms.ChoiceField(
        label="Significance test",
        required=False,
        initial="perm-both",
        choices=[*_NO_METHOD, *((name, f"{name}: {vocabulary.TESTS[name]}") for name in TESTS)],
    )
    correction = forms.ChoiceField(
        label="Correction for multiple comparisons",
        initial="holm",
        choices=[(name, vocabulary.CORRECTIONS[name]) for name in CORRECTIONS],
    )
    resamples = forms.IntegerField(
        label="Resamples",
        required=False,
        min_value=10,
        max_value=MOST_RESAMPLES,
        help_text="Leave empty for 1,000 resamples for intervals, and as many as the correction needs for tests.",
    )
    seed = forms.IntegerField(
        label="Seed", initial=0, min_value=0, max_value=2**32 - 1, help_text="The same seed gives identical results."
    )

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data)
        own = study.protocol.partition("|")[0]
        fitting = [name for name, each in PROTOCOLS.items() if not explain_misfit(each, kind=study.kind)]
        self.fields["protocol"].choices = [
            ("", f"{own}, the protocol of the study"),
            *((name, name) for name in fitting if name != study.protocol),
        ]
        self.fields["metrics"].choices = [(name, name) for name in list_scored_metrics(study)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        choices = self.read()
        try:
            choices.make_interval()
            choices.make_comparison(2)
        except (CorrelationInputError, UnknownNameError) as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return cleaned

    def read(self) -> ReportChoices:
        """Return the options as a value."""
        cleaned = self.cleaned_data
        return ReportChoices(
            protocol=cleaned["protocol"],
            metrics=tuple(cleaned["metrics"]),
            method=cleaned["method"],
            # Methods that do not resample have no units.
            clusters=tuple(cleaned["clusters"]) if cleaned["method"] not in ("", "fisher") or self._boots() else (),
            test=cleaned["test"],
            correction=cleaned["correction"],
            resamples=cleaned["resamples"],
            seed=cleaned["seed"],
        )

    def _boots(self) -> bool:
        return self.cleaned_data["test"] == "bootstrap" and not self.cleaned_data["method"]
