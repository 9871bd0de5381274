"""The base class of task kinds: a form with questions about the items of a task, from which answers are read."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext

from annotation_ui.error_headings import FormWithHeadings
from annotation_ui.stock_texts import translate_stock
from studies.collection.assignment import Answer
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import StudyDesign

LONGEST_MS: Final = 24 * 60 * 60 * 1000
_MISSING: Final = frozenset({"required", "invalid_choice"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question in a template: what is shown, and the field for the answer."""

    shown: ShownItem
    name: str
    field: forms.BoundField
    elapsed_name: str
    elapsed: str


class TaskForm(FormWithHeadings):
    """The form of a task. Each kind defines its fields and their meaning; no choice is preselected.

    Class attributes:
        template: The template of the task, with `form` and `questions`, which do not reveal who wrote a caption.
        guide: The template that explains how to answer, shown with the instructions.
        keys_guide: The template that lists the keys, shown with the instructions and below each task.
        item_name: The name of one of several items, as in "Set B"; they are lettered in the order shown.
        scripts: The scripts of the page beside that for drafts, in the order in which they run.
        keys: The keyboard shortcuts for the choices of a group, in order; empty for kinds without shortcuts.
    """

    template: ClassVar[str]
    guide: ClassVar[str]
    keys_guide: ClassVar[str]
    item_name: ClassVar[str | Promise]
    keys: ClassVar[tuple[str, ...]] = ()
    scripts: ClassVar[tuple[str, ...]] = (
        "annotation_ui/picture.js",
        "annotation_ui/annotation.js",
        "annotation_ui/marks.js",
    )
    use_required_attribute = False

    def __init__(
        self,
        items: Sequence[ShownItem],
        *,
        design: StudyDesign,
        data: Mapping[str, Any] | None = None,
        given: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> None:
        """Create the form; for corrections, `given` has the stored answer to each item by primary key."""
        super().__init__(data)
        self.items = items
        self.design = design
        self.fields.update(self.make_fields())
        self.initial = self.recall(given) if given else {}

    @abstractmethod
    def make_fields(self) -> dict[str, forms.Field]:
        """Return the fields by name."""

    @abstractmethod
    def recall(self, given: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        """Return the values of the fields for these stored answers."""

    @abstractmethod
    def list_questions(self) -> list[Question]:
        """Return the questions for the kind's template, in the order shown to the rater."""

    @abstractmethod
    def read_answers(self) -> tuple[Answer, ...]:
        """Return the answers of a valid form, one for each item."""

    @classmethod
    def describe_value(cls, value: float, *, shown: ShownItem, design: StudyDesign) -> str:
        """Return the value of a judgment in the words of the page, for the feedback of training."""
        labels = {point.value: translate_stock(point.label) for point in design.scale}
        return labels.get(value) or write_number(value)

    @property
    def has_wrong_answers(self) -> bool:
        """Whether an answer is invalid; False if answers are only missing."""
        return any(error.code not in _MISSING for errors in self.errors.as_data().values() for error in errors)

    def find_items(self) -> dict[str, str]:
        """Return the names, for researchers, of the fields that belong to one item each."""
        return {}

    def name_items(self) -> tuple[str, ...]:
        if len(self.items) == 1:
            return (str(self.item_name),)
        return tuple(f"{self.item_name} {_make_letters(index)}" for index in range(len(self.items)))

    def make_question(self, shown: ShownItem, *, field: str, elapsed: str) -> Question:
        return Question(
            shown=shown,
            name=str(self.fields[field].label),
            field=self[field],
            elapsed_name=elapsed,
            elapsed=str(self.data.get(elapsed, "")),
        )

    def read_elapsed(self, name: str) -> int | None:
        # Measured by a script that may not run or be wrong, which is no reason to reject a judgment.
        text = str(self.data.get(name, ""))
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(LONGEST_MS))):
            return None
        return int(text) if int(text) <= LONGEST_MS else None


class ItemForm(TaskForm):
    """A task with one field for each item."""

    @abstractmethod
    def make_field(self, shown: ShownItem) -> forms.Field:
        """Return the field for the judgment of an item."""

    @abstractmethod
    def read_choice(self, shown: ShownItem, choice: Any) -> tuple[float | None, dict[str, Any]]:
        """Return the value of the judgment, and the answer as stored by the kind."""

    @abstractmethod
    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        """Return the choice for an answer, the inverse of `read_choice`."""

    def recall(self, given: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        return {_name_field(shown): self.recall_choice(given[shown.pk]) for shown in self.items if shown.pk in given}

    def make_fields(self) -> dict[str, forms.Field]:
        return {
            _name_field(shown): self._name(self.make_field(shown), name)
            for shown, name in zip(self.items, self.name_items(), strict=True)
        }

    def find_items(self) -> dict[str, str]:
        return {_name_field(shown): f"item-{shown.pk}" for shown in self.items}

    def explain_missing(self, name: str) -> str:
        if len(self.items) == 1:
            return gettext("Choose one of the answers.")
        return gettext("Choose an answer for %(name)s.") % {"name": name}

    def list_questions(self) -> list[Question]:
        return [
            self.make_question(shown, field=_name_field(shown), elapsed=_name_elapsed(shown)) for shown in self.items
        ]

    def read_answers(self) -> tuple[Answer, ...]:
        return tuple(self._read_answer(shown) for shown in self.items)

    def _name(self, field: forms.Field, name: str) -> forms.Field:
        field.label = name
        field.error_messages |= dict.fromkeys(("required", "invalid_choice"), self.explain_missing(name))
        return field

    def _read_answer(self, shown: ShownItem) -> Answer:
        value, answer = self.read_choice(shown, self.cleaned_data[_name_field(shown)])
        return Answer(item=shown.pk, value=value, answer=answer, elapsed_ms=self.read_elapsed(_name_elapsed(shown)))


def make_choices(choices: Sequence[tuple[str, str | Promise]]) -> forms.ChoiceField:
    """Return a required field of radio buttons, none of them selected."""
    return forms.ChoiceField(choices=choices, widget=forms.RadioSelect)


def write_number(number: float) -> str:
    """Return a number as written in the rater's language, without trailing zeros."""
    return number_format(f"{number:g}")


def _name_field(shown: ShownItem) -> str:
    return f"item-{shown.name}"


def _name_elapsed(shown: ShownItem) -> str:
    return f"elapsed-{shown.name}"


def _make_letters(index: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
