"""The steps in which a study is made, each with the sections of the design that it shows as one form."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from django import forms
from django.contrib.auth.models import AbstractBaseUser

from studies.design.changes import list_frozen_fields
from studies.design.completeness import ITEMS
from studies.design.preregistration.deviations import Confirmation, DeviationNotConfirmed
from studies.design.steps.drafts import find_draft
from studies.design.study_design import StudyDesign
from studies.forms.confirming import read_confirmation
from studies.forms.design.section import SectionForm
from studies.forms.design.study_design import SECTIONS
from studies.models import Study
from studies.shared.errors import ImportFailed
from studies.shared.text import unify_line_ends

BASED_ON: Final = "based_on"
REVISION: Final = "revision"


@dataclass(frozen=True, slots=True)
class Step:
    """One page of making a study: its part of the address, its title, and its sections of the design."""

    name: str
    title: str
    lead: str
    sections: tuple[str, ...] = ()


STEPS: Final[Mapping[str, Step]] = MappingProxyType(
    {
        step.name: step
        for step in (
            Step("files", "Files", "What is judged: the images and captions that were uploaded."),
            Step("question", "Question", "What raters are asked, and how they answer.", ("question", "answer")),
            Step(
                "raters",
                "Raters and pay",
                "Who judges, how much, and for which reward.",
                ("texts", "panel", "assignment", "pay"),
            ),
            Step("checks", "Checks", "How careful work is told from careless work.", ("checks", "exclusion")),
            Step("analysis", "Analysis plan", "What will be computed, and when the study ends.", ("stopping",)),
            Step("launch", "Launch", "What is missing, what is recommended, and the button that opens the study."),
        )
    }
)
"""Part of the address -> the step, in their order."""
FILES, LAUNCH = "files", "launch"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that was changed on a page and, since that page was loaded, also elsewhere."""

    label: str
    saved: str
    typed: str


class StepForm:
    """All sections of one step, which are checked and saved together.

    Attributes:
        sections: Name of a section -> its form.
        unconfirmed: The refusal of an unconfirmed deviation; if it is set, the page asks for the confirmation.
    """

    def __init__(
        self,
        step: Step,
        data: Mapping[str, Any] | None = None,
        *,
        kind: str,
        design: StudyDesign,
        frozen: Mapping[str, str] = MappingProxyType({}),
        may_change: bool = True,
        typed: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Create the forms of the sections that apply to a kind of study; the arguments are those of `SectionForm`."""
        self.step, self.data = step, _unify(data) if data is not None else None
        self._given: dict[str, Any] = {"kind": kind, "design": design, "frozen": frozen, "may_change": may_change}
        self.sections: dict[str, SectionForm] = {
            name: SECTIONS[name](self.data, section=name, typed=typed, **self._given)
            for name in step.sections
            if SECTIONS[name].fits(kind)
        }
        self.unconfirmed: DeviationNotConfirmed | None = None

    def is_valid(self) -> bool:
        """Return whether all sections are valid; all of them are checked."""
        problems = [name for name, form in self.sections.items() if not form.is_valid()]
        return not problems

    @property
    def confirmation(self) -> Confirmation:
        """The confirmation that was sent with the form."""
        return read_confirmation(self.data or {})

    @property
    def errors(self) -> list[tuple[str, str, str]]:
        """The label, the id and the messages of each wrong field; no label and id for a whole section."""
        found = []
        for form in self.sections.values():
            for name, problems in (form.errors if form.is_bound else {}).items():
                label, field_id = (str(form[name].label), form[name].auto_id) if name in form.fields else ("", "")
                found.append((label, field_id, " ".join(map(str, problems))))
        return found

    def list_changes(self) -> dict[str, Any]:
        """Return the fields of the design of all sections, for a valid form."""
        return {name: value for form in self.sections.values() for name, value in form.list_changes().items()}

    def tell(self, path: str, problem: str) -> None:
        """Add an error to the field with this path in the design, else to the first section."""
        owner = next((form for form in self.sections.values() if form.owns(path)), next(iter(self.sections.values())))
        owner.tell(path, problem)

    def read_typed(self) -> dict[str, Any]:
        """Return the text, or whether it is ticked, of each field that was sent and can be changed."""
        given = self.data or {}
        typed: dict[str, Any] = {}
        for bound in self._iterate():
            if isinstance(bound.field, forms.BooleanField):
                typed[bound.html_name] = bool(given.get(bound.html_name))
            elif bound.html_name in given:
                typed[bound.html_name] = str(given[bound.html_name])
        return typed

    def write(self) -> dict[str, str]:
        """Return what a browser would send of the values shown in a form without data."""
        return {bound.html_name: text for bound in self._iterate() if (text := _write(bound)) is not None}

    def send(self) -> "StepForm":
        """Return the form as if a browser had sent it unchanged."""
        return StepForm(self.step, self.write(), **self._given)

    def compare(self, typed: Mapping[str, Any]) -> dict[str, str]:
        """Return the fields of the page whose typed value is not the one of the design, with their labels."""
        return {
            bound.html_name: str(bound.label)
            for bound in self._iterate()
            if (bound.html_name in typed or isinstance(bound.field, forms.BooleanField))
            and _plain(bound.initial) != _plain(typed.get(bound.html_name))
            and bound.field.has_changed(_plain(bound.initial), _plain(typed.get(bound.html_name)))
        }

    def _iterate(self) -> Iterator[forms.BoundField]:
        for form in self.sections.values():
            yield from (form[name] for name, field in form.fields.items() if not field.disabled)


def find_place(path: str, *, kind: str) -> tuple[str, str]:
    """Return the step and the id of the field with this path in the design.

    >>> find_place("panel.codes.finished", kind="rating"), find_place("items", kind="rating")
    (('raters', 'panel-code_finished'), ('files', ''))
    """
    if path == ITEMS:
        return FILES, ""
    for step in STEPS.values():
        for name, form in StepForm(step, kind=kind, design=StudyDesign()).sections.items():
            fields = [field for field in form.fields if form.name_path(field) == path]
            if fields or form.owns(path):
                return step.name, f"{name}-{fields[0] if fields else form.guess_field(path)}"
    return LAUNCH, ""


def apply_typed(design: StudyDesign, form: StepForm) -> StudyDesign:
    """Return the design with the valid sections of a form with data."""
    for section in form.sections.values():
        if section.is_valid():
            try:
                design = StudyDesign.from_json({**design.to_json(), **section.list_changes()})
            except ImportFailed:
                continue
    return design


def add_draft(study: Study, design: StudyDesign, *, user: AbstractBaseUser, step: str) -> StudyDesign:
    """Return the design with what the person has typed into a step and not saved, where that is valid."""
    draft = find_draft(study, user=user, step=step) if step in STEPS else None
    if draft is None:
        return design
    given = {"kind": study.kind, "design": design, "frozen": list_frozen_fields(study)}
    return apply_typed(design, StepForm(STEPS[step], draft.typed, **given))


def merge_changes(
    data: Mapping[str, Any], *, base: StepForm, newest: StepForm
) -> tuple[dict[str, Any], tuple[Conflict, ...]]:
    """Return what was sent with what others have changed since, and the fields that both have changed.

    Args:
        data: What was sent.
        base: The form, without data, of the version on which the page was based.
        newest: The form, without data, of the newest version.
    """
    sent, saved = _unify(data), newest.write()
    mine, theirs = base.compare(sent), base.compare(saved)
    both = [name for name in mine if name in theirs and name in newest.compare(sent)]
    for name in theirs:
        if name not in mine:
            sent.pop(name, None)
            sent |= {name: saved[name]} if name in saved else {}
    conflicts = (Conflict(mine[name], say_value(saved.get(name)), say_value(sent.get(name))) for name in both)
    return sent, tuple(conflicts)


def _unify(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: unify_line_ends(value) if isinstance(value, str) else value for name, value in data.items()}


def _plain(value: Any) -> Any:
    return unify_line_ends(value).strip() if isinstance(value, str) else value


def _write(bound: forms.BoundField) -> str | None:
    if isinstance(bound.field, forms.BooleanField):
        return "on" if bound.initial else None
    value = bound.field.widget.format_value(bound.field.prepare_value(bound.initial))
    if isinstance(value, list | tuple):
        return str(value[0]) if value else ""
    return "" if value is None else str(value)


def say_value(value: Any) -> str:
    """Return what is typed into a field, or whether it is ticked, in words."""
    if value is None or isinstance(value, bool):
        return "ticked" if value else "not ticked"
    return "ticked" if value == "on" else str(value)
