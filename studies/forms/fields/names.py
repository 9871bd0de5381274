"""The name of a study that is to be made."""

from typing import Any

from django import forms

from studies.datasets.drafting.drafting import check_free_name
from studies.shared.errors import ImportFailed


class FreeNameField(forms.CharField):
    """A name that can be that of a new study and its dataset."""

    def __init__(self, **given: Any) -> None:
        help_text = "Stands in addresses: letters, digits, hyphens and underscores."
        super().__init__(**{"max_length": 90, "help_text": help_text, **given})

    def clean(self, value: Any) -> str:
        name: str = super().clean(value)
        try:
            check_free_name(name)
        except ImportFailed as error:
            raise forms.ValidationError(f"This {error.rule}, got {error.got}") from error
        return name
