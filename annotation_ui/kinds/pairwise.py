"""Pairwise choice: which of two captions is closer to a reference, or better for the image."""

from typing import Any, Final

from django import forms

from annotation_ui.kinds.base import TaskForm, make_choices
from studies.domain.queries.shown_tasks import ShownItem

FIRST, SECOND, NEITHER = "first", "second", "none"
_SIGN: Final = {FIRST: 1.0, SECOND: -1.0, NEITHER: 0.0}


class PairwiseForm(TaskForm):
    template = "annotation_ui/kinds/pairwise.html"
    guide = "annotation_ui/kinds/pairwise_guide.html"
    item_name = "Pair"
    keys = ("1", "2", "0")

    def make_field(self, shown: ShownItem) -> forms.ChoiceField:
        choices = [(FIRST, shown.captions[0]), (SECOND, shown.captions[1])]
        if self.design.allows_no_preference:
            choices.append((NEITHER, "No preference"))
        return make_choices(choices)

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[float, dict[str, Any]]:
        sign = -_SIGN[choice] if shown.is_swapped else _SIGN[choice]
        # Plain zero also where the sides are swapped.
        return sign or 0.0, {"choice": choice}
