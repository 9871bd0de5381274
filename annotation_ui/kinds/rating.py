"""Rating of captions on a labelled scale, each by itself; captions of one image stand beside one picture of it."""

from typing import Any

from django import forms

from annotation_ui.kinds.base import TaskForm, make_choices
from studies.domain.queries.shown_tasks import ShownItem


class RatingForm(TaskForm):
    template = "annotation_ui/kinds/rating.html"
    guide = "annotation_ui/kinds/rating_guide.html"
    item_name = "Caption"
    keys = tuple("123456789")

    def make_field(self, shown: ShownItem) -> forms.ChoiceField:
        return make_choices([(str(point.value), point.label) for point in self.design.scale])

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[float, dict[str, Any]]:
        point = next(point for point in self.design.scale if str(point.value) == choice)
        return point.value, {"rating": point.value, "label": point.label}
