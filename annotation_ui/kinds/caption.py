"""Writing a caption for an image, with the rules used for collecting the captions of COCO."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from annotation_ui.kinds.base import ItemForm
from annotation_ui.kinds.caption_rules import (
    LEAST_WORDS,
    CaptionRule,
    Strictness,
    is_invisible,
    list_broken,
    list_rules,
)
from annotation_ui.kinds.caption_words import COUNTING
from annotation_ui.languages import name_language
from studies.collection.shown_tasks import ShownItem
from studies.shared.text import normalize_space

LONGEST: Final = 500


class CaptionField(forms.CharField):
    """A line of text in a language that must satisfy all blocking rules."""

    def __init__(self, *, language: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.language = language

    def to_python(self, value: Any) -> str:
        return normalize_space(super().to_python(value))

    def validate(self, value: str) -> None:
        super().validate(value)
        if any(map(is_invisible, value)):
            message = gettext("Use only letters, digits and punctuation: the caption contains an invisible character.")
            raise ValidationError(message, code="control")
        broken = list_broken(value, Strictness.BLOCKS, language=self.language)
        if broken:
            raise ValidationError([ValidationError(rule.refusal, code=rule.name) for rule in broken])


class CaptionForm(ItemForm):
    template = "annotation_ui/kinds/caption.html"
    guide = "annotation_ui/kinds/caption_guide.html"
    keys_guide = "annotation_ui/kinds/caption_keys.html"
    item_name = gettext_lazy("Image")
    scripts = ("annotation_ui/writing.js", *ItemForm.scripts)
    least_words: ClassVar[int] = LEAST_WORDS
    counting: ClassVar[str] = json.dumps(COUNTING)

    @property
    def rules(self) -> tuple[CaptionRule, ...]:
        return list_rules(self.design.language)

    @property
    def language_name(self) -> str:
        """The name of the language to write in, in the language of the page; empty if the design names none."""
        return name_language(self.design.language)

    def make_field(self, shown: ShownItem) -> forms.Field:
        # Longer texts are not captions.
        longest = gettext("Write at most %(longest)d characters.") % {"longest": LONGEST}
        return CaptionField(
            language=self.design.language,
            max_length=LONGEST,
            widget=forms.Textarea,
            error_messages={"max_length": longest},
        )

    def explain_missing(self, name: str) -> str:
        if len(self.items) == 1:
            return gettext("Write a caption.")
        return gettext("Write a caption for %(name)s.") % {"name": name}

    def read_choice(self, shown: ShownItem, choice: str) -> tuple[None, dict[str, Any]]:
        ignored = [rule.name for rule in list_broken(choice, Strictness.WARNS, language=self.design.language)]
        return None, {"caption": choice, "warnings": ignored}

    def recall_choice(self, answer: Mapping[str, Any]) -> Any:
        return answer["caption"]
