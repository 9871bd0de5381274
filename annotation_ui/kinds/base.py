"""What every task kind is made of: a form with one field an item, and how to read answers from it."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms

from studies.domain.assigning import Answer
from studies.domain.design import StudyDesign
from studies.domain.queries.shown_tasks import ShownItem

LONGEST_MS: Final = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Question:
    """One item for a template: what is shown, and the field that asks for the judgment."""

    shown: ShownItem
    name: str
    field: forms.BoundField
    elapsed_name: str
    elapsed: str


class TaskForm(forms.Form):
    """One task as a form. A kind says how its field looks and what a choice means; nothing is chosen beforehand.

    Class attributes:
        template: Shows the task; gets `questions`, which do not know who wrote a caption.
        guide: Template that explains how to answer, shown with the instructions.
        item_name: What one of several items is called, as in "Set B"; several are lettered in the order shown.
        keys: The keyboard's keys for the choices of an item, in order; empty for a kind without shortcuts.
    """

    template: ClassVar[str]
    guide: ClassVar[str]
    item_name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]] = ()
    use_required_attribute = False

    def __init__(
        self, items: Sequence[ShownItem], *, design: StudyDesign, data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data)
        self.items = items
        self.design = design
        for shown, name in zip(items, self.name_items(), strict=True):
            field = self.make_field(shown)
            field.label = name
            field.error_messages |= {
                "required": self.explain_missing(name),
                "invalid_choice": self.explain_missing(name),
            }
            self.fields[_name_field(shown)] = field

    @abstractmethod
    def make_field(self, shown: ShownItem) -> forms.ChoiceField:
        """Return the field that asks for the judgment on one item."""

    @abstractmethod
    def read_choice(self, shown: ShownItem, choice: str) -> tuple[float, dict[str, Any]]:
        """Return the judgment's value and the answer in the words of the kind."""

    def name_items(self) -> tuple[str, ...]:
        if len(self.items) == 1:
            return (self.item_name,)
        return tuple(f"{self.item_name} {_make_letters(index)}" for index in range(len(self.items)))

    def explain_missing(self, name: str) -> str:
        return "Choose one of the answers." if len(self.items) == 1 else f"Choose an answer for {name}."

    def list_questions(self) -> list[Question]:
        """Return what the kind's template shows, in the rater's order."""
        return [
            Question(
                shown=shown,
                name=str(self.fields[_name_field(shown)].label),
                field=self[_name_field(shown)],
                elapsed_name=_name_elapsed(shown),
                elapsed=str(self.data.get(_name_elapsed(shown), "")),
            )
            for shown in self.items
        ]

    def read_answers(self) -> tuple[Answer, ...]:
        """Return the answers of a valid form."""
        return tuple(self._read_answer(shown) for shown in self.items)

    def _read_answer(self, shown: ShownItem) -> Answer:
        value, answer = self.read_choice(shown, self.cleaned_data[_name_field(shown)])
        elapsed_ms = _read_elapsed(str(self.data.get(_name_elapsed(shown), "")))
        return Answer(item=shown.pk, value=value, answer=answer, elapsed_ms=elapsed_ms)


def make_choices(choices: Sequence[tuple[str, str]]) -> forms.ChoiceField:
    """Return a required choice among radio buttons, none of them chosen."""
    return forms.ChoiceField(choices=choices, widget=forms.RadioSelect)


def _name_field(shown: ShownItem) -> str:
    return f"item-{shown.pk}"


def _name_elapsed(shown: ShownItem) -> str:
    return f"elapsed-{shown.pk}"


def _read_elapsed(text: str) -> int | None:
    # Measured by a script that may be missing or wrong; a judgment is not refused for that.
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(LONGEST_MS))):
        return None
    return int(text) if int(text) <= LONGEST_MS else None


def _make_letters(index: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
