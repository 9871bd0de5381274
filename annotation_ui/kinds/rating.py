"""Rating of captions on a labelled scale or a slider; captions of the same image are shown with one picture."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from annotation_ui.kinds.base import ItemForm, make_choices, write_number
from annotation_ui.stock_texts import translate_stock
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import Slider


class RatingForm(ItemForm):
    template = "annotation_ui/kinds/rating.html"
    guide = "annotation_ui/kinds/rating_guide.html"
    keys_guide = "annotation_ui/kinds/rating_keys.html"
    item_name = gettext_lazy("Caption")
    keys = tuple("123456789")

    def make_field(self, shown: ShownItem) -> forms.Field:
        if self.design.slider:
            return _make_slider(self.design.slider)
        return make_choices([(str(point.value), translate_stock(point.label)) for point in self.design.scale])

    def explain_missing(self, name: str) -> str:
        if not self.design.slider:
            return super().explain_missing(name)
        if len(self.items) == 1:
            return gettext("Choose a value on the line.")
        return gettext("Choose a value for %(name)s.") % {"name": name}

    def read_choice(self, shown: ShownItem, choice: Any) -> tuple[float, dict[str, Any]]:
        if self.design.slider:
            return choice, {"rating": choice}
        point = next(point for point in self.design.scale if str(point.value) == choice)
        return point.value, {"rating": point.value, "label": point.label}

    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        return answer["rating"] if self.design.slider else str(answer["rating"])


def _make_slider(slider: Slider) -> forms.Field:
    """Return a required number; the page's script adds a slider, which has no position until it is used."""
    wrong = gettext("Enter a number from %(low)s to %(high)s, in steps of %(step)s.") % {
        "low": write_number(slider.low),
        "high": write_number(slider.high),
        "step": write_number(slider.step),
    }
    return forms.FloatField(
        min_value=slider.low,
        max_value=slider.high,
        step_size=slider.step,
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value", "step_size"), wrong),
    )
