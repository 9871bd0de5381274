"""Turing test: was this caption written by a person or by a machine?

This is question M2 of the COCO captioning challenge of 2015, reported as the share of captions that pass.
"""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from annotation_ui.kinds.base import ItemForm, make_choices
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import StudyDesign

PERSON, MACHINE = "person", "machine"
_CHOICES: Final = ((PERSON, gettext_lazy("A person wrote it")), (MACHINE, gettext_lazy("A machine wrote it")))
_VALUE: Final = {PERSON: 1.0, MACHINE: 0.0}


class TuringForm(ItemForm):
    template = "annotation_ui/kinds/rating.html"
    guide = "annotation_ui/kinds/turing_guide.html"
    keys_guide = "annotation_ui/kinds/turing_keys.html"
    item_name = gettext_lazy("Caption")
    keys = ("1", "2")

    @classmethod
    def describe_value(cls, value: float, *, shown: ShownItem, design: StudyDesign) -> str:
        return str(next((words for choice, words in _CHOICES if _VALUE[choice] == value), f"{value:g}"))

    def make_field(self, shown: ShownItem) -> forms.Field:
        return make_choices(_CHOICES)

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[float, dict[str, Any]]:
        return _VALUE[choice], {"author": choice}

    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        return answer["author"]
