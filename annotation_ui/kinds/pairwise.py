"""Pairwise choice: which of two captions is closer to a reference, or better for the image?"""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext, gettext_lazy

from annotation_ui.kinds.base import ItemForm, make_choices
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import StudyDesign

FIRST, SECOND, NEITHER = "first", "second", "none"
_SIGN: Final = {FIRST: 1.0, SECOND: -1.0, NEITHER: 0.0}


class PairwiseForm(ItemForm):
    template = "annotation_ui/kinds/pairwise.html"
    guide = "annotation_ui/kinds/pairwise_guide.html"
    keys_guide = "annotation_ui/kinds/pairwise_keys.html"
    item_name = gettext_lazy("Pair")
    keys = ("1", "2", "0")

    @classmethod
    def describe_value(cls, value: float, *, shown: ShownItem, design: StudyDesign) -> str:
        if value == 0:
            return gettext("No preference")
        is_second = (value < 0) != shown.is_swapped
        return gettext("“%(caption)s”") % {"caption": shown.captions[is_second]}

    def make_field(self, shown: ShownItem) -> forms.Field:
        choices = [(FIRST, shown.captions[0]), (SECOND, shown.captions[1])]
        if self.design.allows_no_preference:
            choices.append((NEITHER, gettext_lazy("No preference")))
        return make_choices(choices)

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[float, dict[str, Any]]:
        sign = -_SIGN[choice] if shown.is_swapped else _SIGN[choice]
        # Avoid -0.0 when the sides are swapped.
        return sign or 0.0, {"choice": choice}

    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        return answer["choice"]
