"""Writing a caption for an image, with the rules used for collecting the captions of COCO."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from annotation_ui.kinds.base import ItemForm
from annotation_ui.kinds.caption_rules import (
    LEAST_WORDS,
    RULES,
    CaptionRule,
    Strictness,
    is_invisible,
    list_broken,
    normalize_caption,
)
from studies.collection.shown_tasks import ShownItem

LONGEST: Final = 500


class CaptionField(forms.CharField):
    """A line of text that must satisfy all blocking rules."""

    def to_python(self, value: Any) -> str:
        return normalize_caption(super().to_python(value))

    def validate(self, value: str) -> None:
        super().validate(value)
        if any(map(is_invisible, value)):
            message = gettext("Use only letters, digits and punctuation: the caption contains an invisible character.")
            raise ValidationError(message, code="control")
        broken = list_broken(value, Strictness.BLOCKS)
        if broken:
            raise ValidationError([ValidationError(rule.refusal, code=rule.name) for rule in broken])


class CaptionForm(ItemForm):
    template = "annotation_ui/kinds/caption.html"
    guide = "annotation_ui/kinds/caption_guide.html"
    item_name = gettext_lazy("Image")
    rules: ClassVar[tuple[CaptionRule, ...]] = RULES
    least_words: ClassVar[int] = LEAST_WORDS

    def make_field(self, shown: ShownItem) -> forms.Field:
        # Longer texts are not captions.
        longest = gettext("Write at most %(longest)d characters.") % {"longest": LONGEST}
        return CaptionField(
            max_length=LONGEST,
            widget=forms.Textarea,
            error_messages={"max_length": longest},
        )

    def explain_missing(self, name: str) -> str:
        if len(self.items) == 1:
            return gettext("Write a caption.")
        return gettext("Write a caption for %(name)s.") % {"name": name}

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[None, dict[str, Any]]:
        ignored = [rule.name for rule in list_broken(choice, Strictness.WARNS)]
        return None, {"caption": choice, "warnings": ignored}

    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        return answer["caption"]
