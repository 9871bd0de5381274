"""Rating of caption sets, with all sets of an image on one page, each rated from 0 to 1.

This follows the human evaluation of Wang and Chan, "Describing like Humans: on Diversity in Image Captioning" (CVPR
2019); the guide is in our own words.
"""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from annotation_ui.kinds.base import ItemForm, make_choices, write_number
from studies.collection.shown_tasks import ShownItem

SCORES: Final = tuple(tenths / 10 for tenths in range(11))


class SetRatingForm(ItemForm):
    template = "annotation_ui/kinds/set_rating.html"
    guide = "annotation_ui/kinds/set_rating_guide.html"
    keys_guide = "annotation_ui/kinds/set_rating_keys.html"
    item_name = gettext_lazy("Set")
    keys = (*"0123456789", "x")

    def make_field(self, shown: ShownItem) -> forms.Field:
        return make_choices([(f"{score:g}", write_number(score)) for score in SCORES])

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[float, dict[str, Any]]:
        return float(choice), {"score": float(choice)}

    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        return f"{answer['score']:g}"
