"""The query of the correlation explorer as a form."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from correlation.coefficients.bivariate import COEFFICIENTS
from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.correlate import LEVELS
from correlation.defaults import RESAMPLES
from correlation.errors import CorrelationInputError
from correlation.protocols.aggregation import AGGREGATIONS
from correlation.protocols.defaults import NONE, Inference
from correlation.protocols.named import PROTOCOLS
from correlation.protocols.reading import ProtocolUnknown, read_protocol
from correlation.protocols.recipe import PAIR_MEASURES, REFERENCE_RULES, ROW_RULES
from correlation.reports.layout import CORRECTIONS as CORRECTION_TITLES
from correlation.reports.layout import TITLES
from correlation.resampling.intervals import INTERVALS
from metrics_plugins.metrics.chair.categories import CATEGORIES
from studies.analysis.explorer.choice import RATERS_ALL, RATERS_CHOSEN, RATERS_KEPT, Choice, Slice, change_protocol
from studies.analysis.explorer.loaded_study import Facets, OpenedStudy
from studies.analysis.preregistration.inference import choose_study_inference
from studies.design.preregistration.deviations import load_plan
from studies.design.protocols import CUSTOM, explain_misfit
from studies.forms.fields.default_choice import DefaultChoiceField

FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 10_000
MOST_WORDS = 10_000

_LEVEL_TITLES: Final = {
    "item": "item: over all rows",
    "group": "group: within each image",
    "system": "system: over means of systems",
    "global": "global: over systems and images",
}
_AGGREGATION_TITLES: Final = {
    "each": "none: individual judgments",
    "mean": "mean",
    "median": "median",
    "z-mean": "mean of standardised ratings",
    "majority": "majority",
    "dawid-skene": "Dawid-Skene",
    "mace": "MACE",
    "share-of-yes": "share of yes",
}
_TIE_TITLES: Final = {
    "wrong": "wrong",
    "half": "half a point",
    "right": "right",
    "first": "the first caption",
}
_REFERENCE_TITLES: Final = {
    "all": "all",
    "exclude-candidate-per-row": "all except the judged caption itself, for each row",
    "exclude-candidates-per-image": "all except the captions judged for the image",
    "set": "the reference set of the dataset",
    "draw": "five random draws of five",
}
_ROW_TITLES: Final = {"all": "all", "drop-own-references": "exclude candidates that are references"}
_AXES: Final = (("images", "images"), ("raters", "raters"), ("systems", "systems"))
_TEST_TITLES: Final = {
    "perm-both": "permutations of captions (perm-both)",
    "perm-input": "permutations of images (perm-input)",
    "perm-system": "permutations of systems (perm-system)",
    "bootstrap": "paired bootstrap",
    "williams": "Williams' test",
    NONE: "no test",
}
_DEFAULTS: Final = Choice()
OFF: Final = "off"


class ExplorerForm(forms.Form):
    """Every option of the explorer, by the names in the query; omitted ones are taken from the protocol.

    No field is required: an empty query is the study's own protocol on all judgments.
    """

    protocol = forms.ChoiceField(required=False)
    level = forms.ChoiceField(required=False)
    coefficient = forms.ChoiceField(required=False)
    aggregation = forms.ChoiceField(required=False)
    ties = forms.ChoiceField(required=False)
    rows = forms.ChoiceField(required=False, label="Rows")
    references = forms.ChoiceField(required=False)
    metric = forms.CharField(required=False, max_length=100, label="Scatter plot of")

    raters = forms.ChoiceField(
        required=False,
        choices=[
            (RATERS_KEPT, "exclude excluded raters"),
            (RATERS_ALL, "include excluded raters"),
            (RATERS_CHOSEN, "only the raters selected here:"),
        ],
        widget=forms.RadioSelect,
    )
    rater = forms.MultipleChoiceField(required=False, label="Raters by pseudonym", widget=forms.CheckboxSelectMultiple)
    system = forms.MultipleChoiceField(required=False, label="Systems", widget=forms.CheckboxSelectMultiple)
    category = forms.MultipleChoiceField(required=False, label="Categories", widget=forms.CheckboxSelectMultiple)
    words_from = forms.IntegerField(required=False, min_value=0, max_value=MOST_WORDS, label="Minimum words")
    words_to = forms.IntegerField(required=False, min_value=0, max_value=MOST_WORDS, label="Maximum words")
    object = forms.ChoiceField(
        required=False,
        label="Object in the image",
        choices=[("", "anything"), *((name, name) for name in sorted(CATEGORIES))],
    )

    intervals = DefaultChoiceField(
        default="on", label="Compute", choices=[("", "values with intervals, and tests"), (OFF, "values only")]
    )
    over = forms.MultipleChoiceField(
        required=False, label="Resampled units", choices=_AXES, widget=forms.CheckboxSelectMultiple
    )
    method = DefaultChoiceField()
    resamples = forms.IntegerField(required=False, min_value=FEWEST_RESAMPLES, max_value=MOST_RESAMPLES)
    test = DefaultChoiceField()
    correction = DefaultChoiceField()
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    multiverse = forms.BooleanField(required=False, label="Compute the multiverse")

    def __init__(self, data: QueryDict, *, opened: OpenedStudy) -> None:
        said = data.copy()
        self._plan = load_plan(opened.judged) or {}
        self._defaults = _find_defaults(opened, data, plan=self._plan)
        # Show defaults as selected.
        for name, values in (("raters", [RATERS_KEPT]), ("over", list(self._defaults.interval.resampled))):
            if not said.get(name):
                said.setlist(name, values)
        super().__init__(said, auto_id="explore_%s", label_suffix="")
        self._opened = opened
        self._offer_protocols(data.get("protocol", ""))
        self._offer_measures()
        self._offer_inference()
        self._offer_facets(opened.facets)
        for name, number in (("resamples", RESAMPLES), ("seed", _DEFAULTS.seed)):
            self.fields[name].widget.attrs["placeholder"] = str(number)
        for name, bound in (("words_from", opened.facets.fewest_words), ("words_to", opened.facets.most_words)):
            self.fields[name].widget.attrs["placeholder"] = "" if bound is None else str(bound)

    @property
    def main_names(self) -> tuple[str, ...]:
        """The fields that are always visible, in order; the page omits those that do not apply."""
        return ("protocol", "level", "coefficient", "aggregation", "ties", "rows", "references", "metric")

    @property
    def is_sliced(self) -> bool:
        """Whether the query restricts the judgments, with valid values or not."""
        names = ("raters", "rater", "system", "category", "words_from", "words_to", "object")
        return any(self[name].value() not in (None, "", [], RATERS_KEPT) for name in names)

    @property
    def changes_inference(self) -> bool:
        """Whether the query has options of intervals or tests, with valid values or not."""
        names = ("method", "resamples", "test", "correction", "seed")
        return self["intervals"].value() == OFF or any(self[name].value() not in (None, "") for name in names)

    @property
    def choice(self) -> Choice:
        """The choice, for a valid form."""
        chosen = self.cleaned_data
        return Choice(
            **{
                # Fields that do not fit the study's kind do not exist.
                name: chosen.get(name, "")
                for name in ("protocol", "level", "coefficient", "aggregation", "ties", "rows", "references")
            },
            slice=Slice(
                raters=chosen["raters"] or RATERS_KEPT,
                chosen_raters=tuple(chosen["rater"]) if chosen["raters"] == RATERS_CHOSEN else (),
                systems=tuple(chosen["system"]),
                categories=tuple(chosen["category"]),
                least_words=chosen["words_from"],
                most_words=chosen["words_to"],
                thing=chosen["object"],
            ),
            has_intervals=chosen["intervals"] != OFF,
            resampled=() if self._names_default_units(chosen["over"]) else tuple(chosen["over"]),
            method=chosen["method"],
            resamples=chosen["resamples"],
            test=chosen["test"],
            correction=chosen["correction"],
            seed=chosen["seed"] or _DEFAULTS.seed,
        )

    def choose_metric(self, metrics: Sequence[str]) -> str:
        """Return the metric of the scatter plot: the requested one, else the best; and offer all of them."""
        asked = self.cleaned_data["metric"]
        chosen = asked if asked in metrics else next(iter(metrics), "")
        # The selector always has a value; the best metric is the same as none.
        self.cleaned_data["metric"] = "" if chosen == next(iter(metrics), "") else chosen
        self.fields["metric"].widget = forms.Select(choices=[(name, name) for name in metrics])
        return chosen

    def clean(self) -> dict[str, Any]:
        """Reject contradicting options before anything is computed."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            protocol = change_protocol(self._opened.base, self.choice)
            self.choice.choose_inference(self._opened.judged, protocol, n_metrics=2, plan=self._plan)
        except CorrelationInputError as error:
            raise forms.ValidationError(str(error)) from error
        low, high = cleaned["words_from"], cleaned["words_to"]
        if low is not None and high is not None and low > high:
            self.add_error("words_to", f"must be at least the minimum, {low}, got {high}")
        if cleaned["raters"] == RATERS_CHOSEN and not cleaned["rater"]:
            self.add_error("rater", "select at least one rater, or all raters")
        return cleaned

    def write_query(self, **changes: Any) -> str:
        """Return the shortest query of this view, without defaults."""
        said: list[tuple[str, Any]] = []
        for name in self.fields:
            value = changes.pop(name, self.cleaned_data.get(name))
            if value in (None, "", False, []) or (name == "raters" and value == RATERS_KEPT):
                continue
            if name == "over" and self._names_default_units(value):
                continue
            values: Iterable[Any] = value if isinstance(value, (list, tuple)) else (value,)
            said += [(name, "on" if each is True else each) for each in values]
        said += [(name, value) for name, value in changes.items() if value not in (None, "")]
        return urlencode(said)

    def _offer_protocols(self, asked: str) -> None:
        study = self._opened.study
        own = study.protocol.partition("|")[0]
        choices = [("", f"protocol of the study ({own})")]
        siblings = study.dataset.studies.exclude(pk=study.pk).order_by("name")
        of_siblings = {
            each.protocol: f"{each.protocol.partition('|')[0]}, judgments of {each.name}" for each in siblings
        }
        of_siblings.pop(study.protocol, None)
        choices += list(of_siblings.items())
        fitting = [name for name, each in PROTOCOLS.items() if not explain_misfit(each, kind=study.kind)]
        choices += [(name, name) for name in fitting if name not in (own, *of_siblings)]
        choices += [(CUSTOM, "custom: use the options below")] if own != CUSTOM else []
        if asked and asked not in dict(choices):
            try:
                choices.append((asked, read_protocol(asked).reference + ", from the URL"))
            except ProtocolUnknown:
                self.fields["protocol"].error_messages["invalid_choice"] = (
                    "There is no protocol “%(value)s”; choose one from the list."
                )
        self.fields["protocol"].choices = choices

    def _offer_measures(self) -> None:
        base = self._opened.base
        levels, coefficients = (
            list(dict.fromkeys(getattr(each, name) for each in base.measures)) for name in ("level", "coefficient")
        )
        if base.is_pairwise:
            for name in ("level", "aggregation", "rows"):
                del self.fields[name]
            self._offer("coefficient", [TITLES[each] for each in coefficients], ((n, TITLES[n]) for n in PAIR_MEASURES))
            self._offer("ties", [_TIE_TITLES.get(str(base.ties), str(base.ties))], _TIE_TITLES.items())
        else:
            del self.fields["ties"]
            self._offer("level", levels, ((name, _LEVEL_TITLES[name]) for name in LEVELS))
            self._offer("coefficient", [TITLES[each] for each in coefficients], ((n, TITLES[n]) for n in COEFFICIENTS))
            names = ["each", *AGGREGATIONS, "share-of-yes"]
            self._offer("aggregation", [base.ratings], ((name, _AGGREGATION_TITLES[name]) for name in names))
            rule = next(name for name, drops in ROW_RULES.items() if drops == base.drop_candidates_in_references)
            self._offer("rows", [_ROW_TITLES[rule]], _ROW_TITLES.items())
        self._offer(
            "references",
            [_REFERENCE_TITLES.get(base.references.kind, base.references.signature)],
            ((name, _REFERENCE_TITLES[name]) for name in REFERENCE_RULES),
        )

    def _offer_inference(self) -> None:
        interval, comparison = self._defaults.interval, self._defaults.comparison
        self.fields["method"].offer(interval.method, (*INTERVALS, NONE), {NONE: "no intervals"})
        self.fields["test"].offer(comparison.test, (*TESTS, NONE), _TEST_TITLES)
        self.fields["correction"].offer(comparison.correction, CORRECTIONS, CORRECTION_TITLES)

    def _names_default_units(self, named: Sequence[str]) -> bool:
        return tuple(named) == self._defaults.interval.resampled

    def _offer(self, name: str, own: Sequence[str], choices: Iterable[tuple[str, str]]) -> None:
        field = self.fields[name]
        field.choices = [("", f"default of the protocol ({', '.join(own)})"), *choices]

    def _offer_facets(self, facets: Facets) -> None:
        self.fields["rater"].choices = [
            (each.pseudonym, f"{each.pseudonym} ({each.n_judgments:,}{', excluded' if each.is_excluded else ''})")
            for each in facets.raters
        ]
        for name, known in (("system", facets.systems), ("category", facets.categories)):
            self.fields[name].choices = [(each, each) for each in known]


def _find_defaults(opened: OpenedStudy, data: QueryDict, *, plan: Mapping[str, Any]) -> Inference:
    """Return the default interval and test for the level that the query names."""
    try:
        protocol = change_protocol(
            opened.base, Choice(level=data.get("level", ""), coefficient=data.get("coefficient", ""))
        )
    except CorrelationInputError:
        protocol = opened.base
    return choose_study_inference(opened.judged, protocol, n_metrics=2, plan=plan)
