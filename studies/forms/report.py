"""The form for the content of a report."""

from typing import Any, Final

from django import forms

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.defaults import NONE, Inference
from correlation.protocols.named import PROTOCOLS
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS
from studies.analysis.explorer.choice import find_base
from studies.analysis.preregistration.inference import choose_study_inference
from studies.design.protocols import explain_misfit
from studies.forms.fields.default_choice import DefaultChoiceField
from studies.models import Study
from studies.publishing.methods import vocabulary
from studies.publishing.report_jobs import ReportChoices
from studies.scoring.run_lists import list_scored_metrics

MOST_RESAMPLES: Final = 100_000


class ReportTitleForm(forms.Form):
    """The title that readers of a report see."""

    title = forms.CharField(
        max_length=200,
        required=False,
        help_text="Readers see it above the report and on its figures; if empty, the title of the study.",
    )


class ReportForm(forms.Form):
    """The options of a report; contradicting ones are rejected before anything is computed."""

    protocol = forms.ChoiceField(label="Protocol", required=False)
    metrics = forms.MultipleChoiceField(
        label="Metrics",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leave empty for the preregistered metrics; without a preregistration, for all metrics with scores.",
    )
    method = DefaultChoiceField(label="Intervals")
    clusters = forms.MultipleChoiceField(
        label="Resampled units",
        required=False,
        choices=[(axis, axis) for axis in AXES],
        widget=forms.CheckboxSelectMultiple,
        help_text="Units resampled by the bootstrap. Captions of the same image are not independent, so images "
        "should be resampled.",
    )
    test = DefaultChoiceField(label="Significance test")
    correction = DefaultChoiceField(label="Correction for multiple comparisons")
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
        self._study = study
        self._default_units: tuple[str, ...] = ()
        own = study.protocol.partition("|")[0]
        fitting = [name for name, each in PROTOCOLS.items() if not explain_misfit(each, kind=study.kind)]
        self.fields["protocol"].choices = [
            ("", f"{own}, the protocol of the study"),
            *((name, name) for name in fitting if name != study.protocol),
        ]
        self._offer_inference(_find_defaults(study, (data or {}).get("protocol", "")))
        self.fields["metrics"].choices = [(name, name) for name in list_scored_metrics(study)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            protocol = find_base(self._study, cleaned["protocol"])
            self.read().choose_inference(self._study, protocol, n_metrics=2)
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
            clusters=() if tuple(cleaned["clusters"]) == self._default_units else tuple(cleaned["clusters"]),
            test=cleaned["test"],
            correction=cleaned["correction"],
            resamples=cleaned["resamples"],
            seed=cleaned["seed"],
        )

    def _offer_inference(self, chosen: Inference) -> None:
        """Offer the defaults first."""
        interval, comparison = chosen.interval, chosen.comparison
        if interval is None or comparison is None:
            return
        self._default_units = interval.resampled
        self.fields["clusters"].initial = list(interval.resampled)
        self.fields["method"].offer(interval.method, (*INTERVALS, NONE), vocabulary.METHODS)
        titles = {name: f"{name}: {told}" for name, told in vocabulary.TESTS.items()}
        self.fields["test"].offer(comparison.test, (*TESTS, NONE), titles)
        self.fields["correction"].offer(comparison.correction, CORRECTIONS, vocabulary.CORRECTIONS)


def _find_defaults(study: Study, protocol: str) -> Inference:
    try:
        base = find_base(study, protocol)
    except CorrelationInputError:
        # The protocol is refused by its field.
        base = find_base(study, "")
    return choose_study_inference(study, base, n_metrics=2)
