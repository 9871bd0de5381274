"""The form for the plan of the analysis, declared before the first judgment."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.defaults import ALPHA, CORRECTION, TEST
from correlation.protocols.defaults import choose_test
from correlation.protocols.named import PROTOCOLS
from correlation.protocols.reading import ProtocolUnknown, read_protocol
from correlation.reports.layout import TITLES
from studies.design.preregistration.declaration import AnalysisPlan
from studies.design.protocols import explain_misfit
from studies.forms.fields.groups import FieldGroup
from studies.forms.fields.metric_boxes import MetricBoxes, group_by_family, select_boxes
from studies.forms.fields.suggesting import SuggestedInput
from studies.forms.study import check_protocol
from studies.models import Study
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.options import MetricOption, make_option
from studies.scoring.requested_runs.requests import list_scorable
from studies.scoring.run_lists import list_signatures
from studies.shared.text import unify_line_ends

_TESTS: Final = {
    "perm-both": "swaps the scores of the two metrics for single captions; treats captions of one image as independent",
    "perm-input": "swaps them for whole images, since errors of captions of one image are correlated; the safe choice",
    "perm-system": "swaps them for whole systems, to conclude on other systems",
    "bootstrap": "resamples images and computes the difference again; for a hundred images or more",
    "williams": "a formula for two Pearson correlations with the same judgments, for independent captions",
}
_RARE: Final = ("protocol", "coefficient", "test", "alpha", "correction")
_CORRECTIONS: Final = {
    "holm": "limits the probability of any false finding among all pairs of metrics",
    "bh": "limits the proportion of false ones among the findings (Benjamini and Hochberg), and so finds more",
    "none": "no correction; with ten independent tests at level .05, the probability of a false finding is .40",
}


class MetricsField(forms.MultipleChoiceField):
    """Metrics by their ids: selected, or, from a program, in one string separated by commas or blanks.

    Every installed metric is accepted, including those that are not offered.
    """

    widget = MetricBoxes

    def to_python(self, value: Any) -> list[str]:
        given = [value] if isinstance(value, str) else super().to_python(value)
        return sorted({name for text in given for name in text.replace(",", " ").split()})

    def validate(self, value: list[str]) -> None:
        if not value:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        installed = {entry.info.id for entry in load_catalog()}
        unknown = [name for name in value if name not in installed]
        if unknown:
            raise forms.ValidationError(f"Not installed: {', '.join(unknown)}")


class PreregistrationForm(forms.Form):
    """What will be computed, and when the study ends."""

    protocol = forms.CharField(
        max_length=500,
        widget=SuggestedInput,
        help_text="How judgments and scores become one number: which captions, references and coefficient. "
        "The name of a protocol, or a full signature.",
    )
    coefficient = forms.CharField(
        max_length=50,
        widget=SuggestedInput,
        help_text="The primary coefficient, on which the conclusion rests. One of those in the protocol.",
    )
    metrics = MetricsField(
        help_text="The metrics to compare: as few as the question needs, since each makes differences harder to find. "
        "All installed metrics that can score this study are listed."
    )
    test = forms.ChoiceField(
        label="Significance test",
        choices=[(name, f"{name}: {_TESTS[name]}") for name in TESTS],
        widget=forms.RadioSelect,
        help_text="How it is decided whether two metrics differ by more than chance.",
    )
    alpha = forms.FloatField(
        label="Significance level", min_value=0.0001, max_value=0.5, initial=ALPHA,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="The probability, if two metrics are equally good, of finding a difference all the same.",
    )  # fmt: skip
    correction = forms.ChoiceField(
        label="Correction for multiple comparisons",
        choices=[(name, f"{name}: {_CORRECTIONS[name]}") for name in CORRECTIONS],
        widget=forms.RadioSelect,
        help_text="All pairs of metrics are tested, so that some differ by chance.",
    )
    stopping_rule = forms.CharField(
        label="End of data collection",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="In words, for example “when every task has five raters”.",
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        self.study = study
        initial = {"protocol": study.protocol, "coefficient": _propose(study), "correction": CORRECTION}
        given = kwargs.pop("initial", {})
        super().__init__(*args, initial=initial | {"test": propose_test(study.protocol)} | given, **kwargs)
        options = _list_offered(study)
        entries = [option.entry for option in options]
        metrics = self.fields["metrics"]
        metrics.choices = group_by_family(options)
        metrics.widget.has_recommended = False
        metrics.widget.pressed = self.initial.get("select", "")
        protocols = [name for name, each in PROTOCOLS.items() if not explain_misfit(each, kind=study.kind)]
        self.fields["protocol"].widget.suggestions = [(name, name) for name in protocols]
        self.protocols = [PROTOCOLS[name] for name in protocols]
        """The protocols that fit the study."""
        self.signatures = sorted(list_signatures(entries).items())
        """Metric and signature, for those of the offered metrics that have scores."""
        self.fields["coefficient"].widget.suggestions = _list_coefficients(study, protocols)

    def clean_protocol(self) -> str:
        return check_protocol(self.cleaned_data["protocol"], study=self.study)

    def clean_stopping_rule(self) -> str:
        return unify_line_ends(self.cleaned_data["stopping_rule"])

    def clean_metrics(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data["metrics"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "protocol" in cleaned and "coefficient" in cleaned:
            known = sorted({measure.coefficient for measure in read_protocol(cleaned["protocol"]).measures})
            if cleaned["coefficient"] not in known:
                self.add_error("coefficient", f"The protocol only has {', '.join(known)}.")
        return cleaned

    @property
    def main_part(self) -> FieldGroup:
        """What every plan has to say."""
        return FieldGroup([self["metrics"], self["stopping_rule"]])

    @property
    def rare_part(self) -> FieldGroup:
        """What has a default that fits most studies."""
        return FieldGroup([self[name] for name in _RARE])

    @property
    def has_rare_errors(self) -> bool:
        return any(name in self.errors for name in _RARE)

    @property
    def rare_values(self) -> str:
        """The values of the rare part, in the order of its fields."""
        return ", ".join(str(self[name].value() or "none") for name in _RARE)

    @property
    def plan(self) -> AnalysisPlan:
        return AnalysisPlan(**self.cleaned_data)


def select_planned(data: QueryDict, study: Study) -> PreregistrationForm:
    """Return the form with the metrics that a button selected, and all else as it was submitted."""
    others = {name: value for name, value in data.items() if name not in ("metrics", "select")}
    return PreregistrationForm(study=study, initial=others | select_boxes(data, _list_offered(study)))


def _list_offered(study: Study) -> list[MetricOption]:
    """Return all metrics that can score the study, also those that are disabled in it or not installed completely."""
    return [make_option(entry, None) for entry in list_scorable(study, load_catalog())]


def _propose(study: Study) -> str:
    try:
        return read_protocol(study.protocol).measures[0].coefficient
    except ProtocolUnknown:
        return ""


def propose_test(protocol: str) -> str:
    """Return the default test of a protocol, which may be unknown."""
    try:
        return choose_test(read_protocol(protocol))
    except ProtocolUnknown:
        return TEST


def _list_coefficients(study: Study, protocols: Sequence[str]) -> list[tuple[str, str]]:
    """Return every coefficient of these protocols with its title, the proposed one first."""
    measures = (measure for name in protocols for measure in PROTOCOLS[name].measures)
    names = dict.fromkeys([_propose(study), *(measure.coefficient for measure in measures)])
    return [(name, TITLES[name]) for name in names if name]
