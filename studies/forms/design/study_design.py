"""Forms for the sections of a study's design, each of which returns changes of `StudyDesign`; steps have several."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

from django import forms

from correlation.protocols.recipe import PAIR_MEASURES
from correlation.reports.layout import TITLES
from studies.design.design_files import SHORTEST_SECRET
from studies.design.study_design import (
    INTERVAL_WIDTH,
    LANGUAGES,
    MOST_LOOKS,
    MOST_WIDTH,
    SETTLED_RANKING,
    Scale,
    StoppingRule,
    StudyDesign,
)
from studies.enums import PanelKind, RaterOutcome, TaskKind
from studies.forms.design.section import SectionForm
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.schemas import read_value

_MARKDOWN: Final = "Markdown: blank lines between paragraphs, *emphasis*, lists with - or 1., [links](https://…)."
_POINT: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s+(\S.*)")
_LONGEST: Final = 20_000
_LANGUAGES: Final = sorted(LANGUAGES.items(), key=itemgetter(1))


def _text(label: str, *, rows: int = 5, hint: str = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, required=False, max_length=_LONGEST, widget=widget, help_text=hint)


def _count(label: str, *, hint: str = "", least: int = 0) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=10_000_000, help_text=hint)


def _share(label: str, *, hint: str = "", required: bool = False) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(label=label, min_value=0, max_value=1, required=required, help_text=hint, widget=widget)


def _amount(label: str, *, hint: str = "", most: float = 10_000_000) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(label=label, min_value=0, max_value=most, help_text=hint, widget=widget)


class QuestionForm(SectionForm):
    title = "Question"

    question = forms.CharField(required=False, max_length=500, help_text="The question asked about every item.")
    instructions = _text("Instructions", rows=8, hint=_MARKDOWN)
    language = forms.ChoiceField(
        label="Language of the captions",
        required=False,
        choices=[("", "Not said"), *_LANGUAGES],
        help_text="Raters are told to write in it; hints for English words are shown for English only.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.kind != TaskKind.CAPTION:
            del self.fields["language"]


class TextsForm(SectionForm):
    title = "Information and consent"
    hint = _MARKDOWN

    information = _text("Information", hint="What the study is about, who runs it, and what data is stored.")
    consent = _text("Consent", hint="What raters agree to. If it changes, all raters are asked again.")
    debriefing = _text("Debriefing", rows=3, hint="Shown at the end: the purpose of the study.")
    thanks = _text("Thanks", rows=3)


class AnswerForm(SectionForm):
    title = "Answer format"

    is_slider = forms.BooleanField(label="Raters use a slider instead of a scale with points", required=False)
    scale = _text("Scale", hint="One point per line, lowest first: a value and its label, or only the label.")
    low_label = forms.CharField(label="Slider: label of the lowest value", required=False, max_length=100)
    high_label = forms.CharField(label="Slider: label of the highest value", required=False, max_length=100)
    low = forms.FloatField(label="Slider: lowest value", required=False)
    high = forms.FloatField(label="Slider: highest value", required=False)
    step = forms.FloatField(label="Slider: step", required=False, min_value=0.000001)
    allows_no_preference = forms.BooleanField(label="Allow “No preference”", required=False)

    _SLIDER: Final = ("low_label", "high_label", "low", "high", "step")
    parts = (("scale", "", ("scale",)), ("slider", "", _SLIDER))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ["allows_no_preference"] if self.kind == TaskKind.RATING else ["is_slider", "scale", *self._SLIDER]:
            del self.fields[name]

    @classmethod
    def fits(cls, kind: str) -> bool:
        return kind in (TaskKind.RATING, TaskKind.PAIRWISE)

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        points = "\n".join(f"{point.value:g} {point.label}" for point in design.scale)
        slider = asdict(design.slider) if design.slider else {"low": 0, "high": 100, "step": 1}
        is_slider = design.slider is not None
        return {
            "is_slider": is_slider,
            "scale": points,
            "allows_no_preference": design.allows_no_preference,
            **slider,
        }

    def clean_scale(self) -> list[dict[str, Any]]:
        lines = [line for line in self.cleaned_data["scale"].splitlines() if line.strip()]
        matches = [_POINT.fullmatch(line) for line in lines]
        if any(matches) and not all(matches):
            raise forms.ValidationError("Either all lines must start with a number, or none.")
        points = [{"value": float(match[1]), "label": match[2].strip()} for match in matches if match]
        try:
            read = read_value(Scale, points or [line.strip() for line in lines], SourceLocation("")) if lines else ()
        except ImportFailed as error:
            raise forms.ValidationError(f"This {error.rule}.") from error
        return [asdict(point) for point in read]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("is_slider"):
            for name in self._SLIDER:
                if cleaned.get(name) in ("", None) and name not in self.errors:
                    self.add_error(name, "This field is required for a slider.")
        return cleaned

    def list_changes(self) -> dict[str, Any]:
        if self.kind == TaskKind.PAIRWISE:
            return {"allows_no_preference": self.cleaned_data["allows_no_preference"]}
        if not self.cleaned_data["is_slider"]:
            return {"scale": self.cleaned_data["scale"], "slider": None}
        return {"scale": [], "slider": {name: self.cleaned_data[name] for name in self._SLIDER}}

    def name_path(self, name: str) -> str:
        if name in self._SLIDER:
            return f"slider.{name}"
        return "slider" if name == "is_slider" else name

    def tell(self, path: str, problem: str) -> None:
        super().tell("slider.low" if path == "slider" else path, problem)


class AssignmentForm(SectionForm):
    title = "Assignment of tasks"

    raters_per_task = _count(
        "Raters per task",
        least=1,
        hint="Three or more, five for ratings in steps. With one there is neither agreement nor a human ceiling; with "
        "two there is no majority.",
    )
    lease_minutes = _count(
        "Time limit per task, in minutes", least=1, hint="After this time the task is given to another rater."
    )
    tasks_per_rater = _count("Maximum tasks per rater", hint="0 means no limit.")
    tasks_per_session = _count("Tasks per session", hint="Raters pause between sessions; 0 means a single session.")
    task_seconds = _count(
        "Expected time per task, in seconds", hint="Used to estimate the time left, which raters see; 0 if unknown."
    )
    retention_days = _count(
        "Days until identities are erased",
        hint="Raters are told this period. Required if a panel or a personal link identifies raters.",
    )
    may_correct = forms.BooleanField(label="Raters may correct their last answer", required=False)


class ChecksForm(SectionForm):
    title = "Qualification and checks"
    hint = "These tasks have the role qualification, gold or attention in the uploaded table."

    is_qualified = forms.BooleanField(label="Raters must qualify", required=False)
    pass_share = _share("Minimum proportion of correct answers", required=True)
    attempts = _count("Attempts", least=2)
    every = _count(
        "Tasks between checks", hint="Each check is placed at random among this many tasks; 0 means no checks."
    )
    parts = (("qualification", "", ("pass_share", "attempts")),)

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        of = asdict(design.qualification) if design.qualification else {"pass_share": 0.8, "attempts": 2}
        return {"is_qualified": design.qualification is not None, **of, **asdict(design.checks)}

    def list_changes(self) -> dict[str, Any]:
        given = self.cleaned_data
        qualification = {name: given[name] for name in ("pass_share", "attempts")}
        return {
            "qualification": qualification if given["is_qualified"] else None,
            "checks": {"every": given["every"]},
        }

    def name_path(self, name: str) -> str:
        paths = {"is_qualified": "qualification", "every": "checks.every"}
        return paths.get(name, f"qualification.{name}")


class ExclusionForm(SectionForm):
    title = "Exclusion criteria"
    hint = "Criteria are declared before the study starts. Leave a field empty to not use the criterion."
    part = "exclusion_rules"

    failed_checks = forms.IntegerField(label="Failed checks, more than", required=False, min_value=0)
    fastest_share = _share("Median time, below this fraction of the overall median")
    same_answer_share = _share("Same answer, on more than this fraction of items")
    agreement = forms.FloatField(
        label="Rank correlation with the mean of the other raters, below", required=False, min_value=-1, max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )  # fmt: skip
    perturbed_p = _share("P-value of the test that intact captions are rated above perturbed ones, above")


class StoppingForm(SectionForm):
    title = "Stopping rule"
    hint = (
        "Declared before the study starts and evaluated at interim looks. An error spending function divides the error "
        "rate among the looks, so that repeated looks do not inflate it."
    )

    is_used = forms.BooleanField(label="Use a stopping rule", required=False)
    kind = forms.ChoiceField(
        label="Stop when",
        choices=[
            (INTERVAL_WIDTH, "the intervals of all metrics are narrow enough"),
            (SETTLED_RANKING, "all pairs of metrics differ significantly"),
        ],
    )
    width = _amount("Maximum width of an interval", most=MOST_WIDTH)
    measure = forms.ChoiceField(
        label="Coefficient",
        required=False,
        choices=[("", "the coefficient of the protocol"), *((name, TITLES[name]) for name in PAIR_MEASURES)],
    )
    metrics = forms.CharField(
        label="Metrics",
        required=False,
        max_length=1000,
        help_text="Ids, separated by commas; leave empty for all metrics.",
    )
    looks = forms.IntegerField(
        label="Number of interim looks, including the final analysis", min_value=1, max_value=MOST_LOOKS
    )
    spending = forms.ChoiceField(
        label="Error spending function",
        choices=[("obrien-fleming", "O'Brien and Fleming (little early)"), ("pocock", "Pocock (about evenly)")],
    )
    alpha = _share("Significance level of the study (two-sided)", required=True)
    max_judgments = _count("Planned number of judgments", hint="0 means the number planned by the design.")
    closes_study = forms.BooleanField(label="Close the study when the stopping rule is met", required=False)
    parts = (
        (
            "stopping",
            "",
            ("kind", "width", "measure", "metrics", "looks", "spending", "alpha", "max_judgments", "closes_study"),
        ),
    )

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        return {"is_used": design.stopping_rule is not None, **asdict(design.stopping_rule or StoppingRule())}

    def list_changes(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        return {"stopping_rule": given if given.pop("is_used") else None}

    def name_path(self, name: str) -> str:
        return f"stopping_rule.{name}"


class PanelForm(SectionForm):
    title = "Recruitment"
    part = "panel"

    kind = forms.ChoiceField(label="Panel", choices=PanelKind)
    eligibility = _text(
        "Who can take part",
        rows=3,
        hint="As a paper reports it: languages, countries, filters of the panel such as the approval rate, who is left "
        "out. The methods text of reports states it; raters do not see it.",
    )
    return_url = forms.CharField(
        label="Return URL",
        required=False,
        max_length=500,
        help_text="Use {code} as the placeholder for the completion code.",
    )
    id_parameter = forms.CharField(label="URL parameter with the participant id", max_length=50)
    session_parameter = forms.CharField(label="URL parameter with the session id", required=False, max_length=50)

    is_signed = forms.BooleanField(
        label="The panel signs the URL",
        required=False,
        help_text="Only signed URLs are accepted. Use this with Prolific's secured URLs, or with a secret shared "
        "with a generic panel.",
    )
    signing_secret = forms.CharField(
        label="Signing secret (generic panel)",
        required=False,
        max_length=200,
        help_text=f"At least {SHORTEST_SECRET} characters, chosen at random.",
    )
    signature_parameter = forms.CharField(label="URL parameter with the signature", required=False, max_length=50)

    _CODE: Final = "code_"
    parts = (
        ("address", "Address", ("id_parameter", "session_parameter", "return_url")),
        ("signature", "Signed addresses", ("is_signed",)),
        ("secret", "", ("signing_secret", "signature_parameter")),
        ("codes", "Completion codes", tuple(f"code_{outcome}" for outcome in RaterOutcome)),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        codes = {
            outcome: forms.CharField(label=f"Completion code: {outcome.label.lower()}", required=False, max_length=100)
            for outcome in RaterOutcome
        }
        self.base_fields = {**self.base_fields, **{f"{self._CODE}{outcome}": code for outcome, code in codes.items()}}
        super().__init__(*args, **kwargs)

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        codes = {f"{self._CODE}{outcome}": code for outcome, code in design.panel.codes.items()}
        return {**asdict(design.panel), "eligibility": design.eligibility, **codes}

    def list_changes(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        codes = {outcome.value: given.pop(f"{self._CODE}{outcome}") for outcome in RaterOutcome}
        eligibility = given.pop("eligibility")
        panel = {**given, "codes": {outcome: code for outcome, code in codes.items() if code}}
        return {"eligibility": eligibility, "panel": panel}

    def name_path(self, name: str) -> str:
        if name.startswith(self._CODE):
            return f"panel.codes.{name.removeprefix(self._CODE)}"
        return name if name == "eligibility" else super().name_path(name)


class PayForm(SectionForm):
    title = "Payment"
    part = "pay"

    currency = forms.RegexField(r"[A-Z]{3}", max_length=3, help_text="ISO 4217 code, such as EUR.")
    reward = _amount("Reward per session")
    hourly_wage = _amount(
        "Minimum hourly wage",
        hint="If the reward is lower than this for the measured time, the difference is paid as a top-up.",
    )
    budget = _amount("Budget", hint="Including fees; 0 means no limit.")
    fee_share = _amount("Panel fee, as a fraction of rewards", most=10)


SECTIONS: Mapping[str, type[SectionForm]] = MappingProxyType(
    {
        "question": QuestionForm,
        "answer": AnswerForm,
        "texts": TextsForm,
        "assignment": AssignmentForm,
        "checks": ChecksForm,
        "exclusion": ExclusionForm,
        "stopping": StoppingForm,
        "panel": PanelForm,
        "pay": PayForm,
    }
)
"""Name of a section, which is the prefix of its fields -> the form."""
