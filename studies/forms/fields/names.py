"""The field for the name of a new study."""

from typing import Any

from django import forms

from studies.datasets.drafts.creation import check_free_name
from studies.shared.errors import ImportFailed


class FreeNameField(forms.CharField):
    """A name that is valid and free for a new study and its dataset."""

    def __init__(self, **given: Any) -> None:
        help_text = "Used in URLs. Letters, digits, hyphens and underscores only."
        super().__init__(**{"max_length": 90, "help_text": help_text, **given})

    def clean(self, value: Any) -> str:
        name: str = super().clean(value)
        try:
            check_free_name(name)
        except ImportFailed as error:
            raise forms.ValidationError(f"This {error.rule}, got {error.got}") from error
        return name
