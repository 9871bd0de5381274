"""Best-worst scaling: of several captions of one image, which is the best and which is the worst?

Louviere, Flynn and Marley, "Best-Worst Scaling" (2015). The mean of a caption's judgments is its counting score: the
number of times it was the best minus the number of times it was the worst, divided by the number of times it was shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.translation import gettext, gettext_lazy

from annotation_ui.kinds.base import Question, TaskForm, make_choices
from studies.collection.assignment import Answer
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import StudyDesign

BEST, WORST, NEITHER = "best", "worst", "neither"
_VALUE: Final = {BEST: 1.0, WORST: -1.0, NEITHER: 0.0}
_ELAPSED: Final = "elapsed"


@dataclass(frozen=True, slots=True)
class Card:
    """A caption with its two radio buttons."""

    shown: ShownItem
    best: forms.boundfield.BoundWidget
    worst: forms.boundfield.BoundWidget


class BestWorstForm(TaskForm):
    template = "annotation_ui/kinds/best_worst.html"
    guide = "annotation_ui/kinds/best_worst_guide.html"
    keys_guide = "annotation_ui/kinds/best_worst_keys.html"
    item_name = gettext_lazy("Caption")
    keys = tuple("123456789")

    @classmethod
    def describe_value(cls, value: float, *, shown: ShownItem, design: StudyDesign) -> str:
        return gettext("Best") if value > 0 else gettext("Worst") if value < 0 else gettext("Neither best nor worst")

    def make_fields(self) -> dict[str, forms.Field]:
        choices = [(shown.name, name) for shown, name in zip(self.items, self.name_items(), strict=True)]
        fields = {BEST: make_choices(choices), WORST: make_choices(choices)}
        fields[BEST].error_messages |= _miss(gettext("Choose the best caption."))
        fields[WORST].error_messages |= _miss(gettext("Choose the worst caption."))
        return fields

    def clean(self) -> dict[str, Any]:
        if BEST in self.cleaned_data and self.cleaned_data[BEST] == self.cleaned_data.get(WORST):
            message = gettext("The best caption and the worst one cannot be the same. Choose another worst caption.")
            self.add_error(WORST, forms.ValidationError(message, code="same"))
        return self.cleaned_data

    def recall(self, given: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        chosen = {given[shown.pk]["choice"]: shown.name for shown in self.items if shown.pk in given}
        return {name: chosen[name] for name in (BEST, WORST)}

    def list_questions(self) -> list[Question]:
        return [self.make_question(self.items[0], field=field, elapsed=_ELAPSED) for field in (BEST, WORST)]

    def list_cards(self) -> list[Card]:
        return [Card(*card) for card in zip(self.items, self[BEST], self[WORST], strict=True)]

    def read_answers(self) -> tuple[Answer, ...]:
        elapsed_ms = self.read_elapsed(_ELAPSED)
        return tuple(self._read_answer(shown, elapsed_ms) for shown in self.items)

    def _read_answer(self, shown: ShownItem, elapsed_ms: int | None) -> Answer:
        chosen = next((name for name in (BEST, WORST) if self.cleaned_data[name] == shown.name), NEITHER)
        return Answer(item=shown.pk, value=_VALUE[chosen], answer={"choice": chosen}, elapsed_ms=elapsed_ms)


def _miss(message: str) -> dict[str, str]:
    return dict.fromkeys(("required", "invalid_choice"), message)
