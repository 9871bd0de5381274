"""The design of a study, section by section: each is a form that tells which fields of `StudyDesign` it changes."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, ClassVar, Final

from django import forms

from correlation.protocols.recipe import PAIR_MEASURES
from correlation.reports.layout import TITLES
from studies.design.design import (
    INTERVAL_WIDTH,
    MOST_LOOKS,
    MOST_WIDTH,
    SETTLED_RANKING,
    Scale,
    StoppingRule,
    StudyDesign,
)
from studies.design.reading import SHORTEST_SECRET
from studies.enums import PanelKind, RaterOutcome, TaskKind
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.schemas import read_value

_MARKDOWN: Final = "Markdown: blank lines between paragraphs, *emphasis*, lists with - or 1., [links](https://…)."
_POINT: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s+(\S.*)")
_LONGEST: Final = 20_000
_HIDDEN: Final = "It is set. Only the owner and editors are shown what it is."


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


class SectionForm(forms.Form):
    """One section of a design.

    Class attributes:
        title: The section's heading.
        hint: A sentence below it.
        part: The part of the design whose fields these are; empty for fields of the design itself.
    """

    title: ClassVar[str]
    hint: ClassVar[str] = ""
    part: ClassVar[str] = ""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        design: StudyDesign,
        kind: str,
        section: str,
        frozen: Mapping[str, str] = MappingProxyType({}),
        may_change: bool = True,
    ) -> None:
        """Make the form as the design stands; `frozen` has fields that cannot change now, with the reason.

        Who may not change the design sees of its secret fields only that they are set.
        """
        self.section, self.kind = section, kind
        shown, kept = (design, {}) if may_change else (design.without_secrets(), design.list_secrets())
        super().__init__(data, initial=self.recall(shown), auto_id=f"{section}-%s")
        for name, field in self.fields.items():
            path = self.name_path(name)
            if path in kept:
                field.help_text = _HIDDEN
            reason = frozen.get(path) or frozen.get(name) or frozen.get(path.partition(".")[0])
            if reason:
                field.help_text = reason
            field.disabled = bool(reason) or not may_change

    @classmethod
    def fits(cls, kind: str) -> bool:
        """Whether studies of this kind have anything to say here."""
        return True

    def name_path(self, name: str) -> str:
        """Return the path in the design of one of the form's fields."""
        return f"{self.part}.{name}".lstrip(".")

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        """Return the fields' values in a design."""
        values = asdict(design)
        return dict(values[self.part] if self.part else {name: values[name] for name in self.base_fields})

    def list_changes(self) -> dict[str, Any]:
        """Return the design's fields as the valid form has them."""
        return {self.part: self.cleaned_data} if self.part else dict(self.cleaned_data)

    def tell(self, path: str, problem: str) -> None:
        """Put an error beside the field that it is about, by its path in the design; else above the form."""
        names = {self.name_path(name): name for name in self.fields}
        name = names.get(path) or (path if path in self.fields else None)
        self.add_error(name, problem)


class TextsForm(SectionForm):
    title = "What raters read"
    hint = _MARKDOWN

    information = _text("Information", hint="What the study is about, who runs it, and what is kept.")
    consent = _text("Consent", hint="What a rater agrees to. A change asks everybody again.")
    instructions = _text("Instructions", rows=8)
    question = forms.CharField(required=False, max_length=500, help_text="The one sentence asked of every item.")
    debriefing = _text("Debriefing", rows=3, hint="Told at the end: what the study was for.")
    thanks = _text("Thanks", rows=3)


class AnswerForm(SectionForm):
    title = "How raters answer"

    scale = _text(
        "Scale", hint="A point on each line, the lowest first: a number and what it means, or only the words."
    )
    low_label = forms.CharField(label="Slider: words at the low end", required=False, max_length=100)
    high_label = forms.CharField(label="Slider: words at the high end", required=False, max_length=100)
    low = forms.FloatField(label="Slider: lowest value", required=False)
    high = forms.FloatField(label="Slider: highest value", required=False)
    step = forms.FloatField(label="Slider: step", required=False, min_value=0.000001)
    allows_no_preference = forms.BooleanField(label="Raters may say that they prefer neither", required=False)

    _SLIDER: Final = ("low_label", "high_label", "low", "high", "step")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ["allows_no_preference"] if self.kind == TaskKind.RATING else ["scale", *self._SLIDER]:
            del self.fields[name]
        for name, field in self.fields.items():
            # A slider is frozen as a whole.
            field.disabled = field.disabled or (name in self._SLIDER and self.fields["scale"].disabled)

    @classmethod
    def fits(cls, kind: str) -> bool:
        return kind in (TaskKind.RATING, TaskKind.PAIRWISE)

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        points = "\n".join(f"{point.value:g} {point.label}" for point in design.scale)
        slider = asdict(design.slider) if design.slider else {"low": 0, "high": 100, "step": 1}
        return {"scale": points, "allows_no_preference": design.allows_no_preference, **slider}

    def clean_scale(self) -> list[dict[str, Any]]:
        lines = [line for line in self.cleaned_data["scale"].splitlines() if line.strip()]
        matches = [_POINT.fullmatch(line) for line in lines]
        if any(matches) and not all(matches):
            raise forms.ValidationError("Begin every line with a number, or none.")
        points = [{"value": float(match[1]), "label": match[2].strip()} for match in matches if match]
        try:
            read = read_value(Scale, points or [line.strip() for line in lines], SourceLocation("")) if lines else ()
        except ImportFailed as error:
            raise forms.ValidationError(f"This {error.rule}.") from error
        return [asdict(point) for point in read]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self._has_slider(cleaned):
            for name in self._SLIDER:
                if cleaned.get(name) in ("", None) and name not in self.errors:
                    self.add_error(name, "A slider needs this.")
        return cleaned

    def list_changes(self) -> dict[str, Any]:
        if self.kind == TaskKind.PAIRWISE:
            return {"allows_no_preference": self.cleaned_data["allows_no_preference"]}
        slider = {name: self.cleaned_data[name] for name in self._SLIDER}
        return {"scale": self.cleaned_data["scale"], "slider": slider if self._has_slider(slider) else None}

    def tell(self, path: str, problem: str) -> None:
        super().tell({"slider": "low"}.get(path.partition(".")[0], path), problem)

    def _has_slider(self, values: Mapping[str, Any]) -> bool:
        return bool(values.get("low_label") or values.get("high_label"))


class AssignmentForm(SectionForm):
    title = "Who gets how much"

    raters_per_task = _count("Raters for each task", least=1)
    lease_minutes = _count("Minutes for a task", least=1, hint="After that it goes to somebody else.")
    tasks_per_rater = _count("Most tasks for one rater", hint="0 for no limit.")
    tasks_per_session = _count("Tasks in a session", hint="Then comes a pause; 0 for one session.")
    task_seconds = _count("Seconds that a task takes", hint="For the time left that raters see; 0 if nobody knows.")
    retention_days = _count(
        "Days until identities are forgotten",
        hint="Raters are told. Needed wherever a panel or a personal link says who they are.",
    )
    may_correct = forms.BooleanField(label="Raters may correct their last answer", required=False)


class ChecksForm(SectionForm):
    title = "Qualification and checks"
    hint = "Their tasks are those whose role in the table is qualification, gold or attention."

    is_qualified = forms.BooleanField(label="Raters must qualify", required=False)
    pass_share = _share("Least share of right answers", required=True)
    attempts = _count("Attempts", least=2)
    every = _count("A check after this many tasks", hint="At a location drawn at random among them; 0 for none.")

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

    def tell(self, path: str, problem: str) -> None:
        super().tell(path.rpartition(".")[2], problem)


class ExclusionForm(SectionForm):
    title = "Whose judgments are left out"
    hint = "Rules are declared before the start. An empty field is a rule that is not used."
    part = "exclusion_rules"

    failed_checks = forms.IntegerField(label="More failed checks than", required=False, min_value=0)
    fastest_share = _share("Median time below this share of everybody's")
    same_answer_share = _share("The same answer on more than this share of items")
    agreement = forms.FloatField(
        label="Rank correlation with the mean of the others below", required=False, min_value=-1, max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )  # fmt: skip
    perturbed_p = _share("P-value of “rates intact captions above ruined ones” above")


class StoppingForm(SectionForm):
    title = "When it may end early"
    hint = (
        "Declared before the start, and looked at while it runs. Between the looks the error is spent, so that looking "
        "often finds nothing that is not there."
    )

    is_used = forms.BooleanField(label="There is a stopping rule", required=False)
    kind = forms.ChoiceField(
        label="The rule says stop when",
        choices=[
            (INTERVAL_WIDTH, "the interval of every metric is narrow enough"),
            (SETTLED_RANKING, "every two metrics differ"),
        ],
    )
    width = _amount("Width of an interval, from end to end", most=MOST_WIDTH)
    measure = forms.ChoiceField(
        label="Coefficient that counts",
        required=False,
        choices=[("", "the protocol's"), *((name, TITLES[name]) for name in PAIR_MEASURES)],
    )
    metrics = forms.CharField(
        label="Metrics that count", required=False, max_length=1000, help_text="Ids apart by commas; empty for all."
    )
    looks = forms.IntegerField(
        label="Looks, the last one when all judgments are there", min_value=1, max_value=MOST_LOOKS
    )
    spending = forms.ChoiceField(
        label="How the error is spent",
        choices=[("obrien-fleming", "little early, O'Brien and Fleming"), ("pocock", "about evenly, Pocock")],
    )
    alpha = _share("Two-sided level of the whole study", required=True)
    max_judgments = _count("All judgments", hint="0 for as many as the design plans.")
    closes_study = forms.BooleanField(label="A look that says stop closes the study", required=False)

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        return {"is_used": design.stopping_rule is not None, **asdict(design.stopping_rule or StoppingRule())}

    def list_changes(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        return {"stopping_rule": given if given.pop("is_used") else None}

    def name_path(self, name: str) -> str:
        return f"stopping_rule.{name}"


class PanelForm(SectionForm):
    title = "Where raters come from"
    part = "panel"

    kind = forms.ChoiceField(label="Panel", choices=PanelKind)
    return_url = forms.CharField(
        label="Address to go back to", required=False, max_length=500, help_text="With {code} where the code goes."
    )
    id_parameter = forms.CharField(label="Parameter that says who it is", max_length=50)
    session_parameter = forms.CharField(label="Parameter that says which visit it is", required=False, max_length=50)

    is_signed = forms.BooleanField(
        label="The panel signs the address",
        required=False,
        help_text="Then nobody else is taken in. For Prolific's secured address, or by a secret of a generic panel.",
    )
    signing_secret = forms.CharField(
        label="Secret of a generic panel that signs",
        required=False,
        max_length=200,
        help_text=f"{SHORTEST_SECRET} characters or more, made up at random.",
    )
    signature_parameter = forms.CharField(label="Parameter that holds the signature", required=False, max_length=50)

    _CODE: Final = "code_"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        codes = {
            outcome: forms.CharField(label=f"Code: {outcome.label.lower()}", required=False, max_length=100)
            for outcome in RaterOutcome
        }
        self.base_fields = {**self.base_fields, **{f"{self._CODE}{outcome}": code for outcome, code in codes.items()}}
        super().__init__(*args, **kwargs)

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        codes = {f"{self._CODE}{outcome}": code for outcome, code in design.panel.codes.items()}
        return {**asdict(design.panel), **codes}

    def list_changes(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        codes = {outcome.value: given.pop(f"{self._CODE}{outcome}") for outcome in RaterOutcome}
        return {"panel": {**given, "codes": {outcome: code for outcome, code in codes.items() if code}}}

    def name_path(self, name: str) -> str:
        if name.startswith(self._CODE):
            return f"panel.codes.{name.removeprefix(self._CODE)}"
        return super().name_path(name)


class PayForm(SectionForm):
    title = "What raters earn"
    part = "pay"

    currency = forms.RegexField(r"[A-Z]{3}", max_length=3, help_text="ISO 4217, as in EUR.")
    reward = _amount("Reward for a session")
    hourly_wage = _amount("Least wage of an hour", hint="What is missing by the measured time is topped up.")
    budget = _amount("Budget", hint="Fees included; 0 for no limit.")
    fee_share = _amount("The panel's fee, as a share of rewards", most=10)


SECTIONS: Mapping[str, type[SectionForm]] = MappingProxyType(
    {
        "texts": TextsForm,
        "answer": AnswerForm,
        "assignment": AssignmentForm,
        "checks": ChecksForm,
        "exclusion": ExclusionForm,
        "stopping": StoppingForm,
        "panel": PanelForm,
        "pay": PayForm,
    }
)
"""Part of an address -> the form there."""


def make_sections(
    kind: str, *, design: StudyDesign, frozen: Mapping[str, str], may_change: bool
) -> dict[str, SectionForm]:
    """Return a form for each section that studies of a kind have, as the design stands."""
    return {
        name: form(design=design, kind=kind, section=name, frozen=frozen, may_change=may_change)
        for name, form in SECTIONS.items()
        if form.fits(kind)
    }
