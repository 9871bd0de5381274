"""The field for the name of a new study."""

from typing import Any

from django import forms

from studies.datasets.names import find_free_name, propose_name
from studies.shared.errors import ImportFailed


class FreeNameField(forms.CharField):
    """A name for a new study and its dataset; a number is added if any study has it, also one of other people.

    If it is left empty, `fill_name` in the `clean` of the form makes one from the title.
    """

    def __init__(self, **given: Any) -> None:
        help_text = (
            "Used in URLs: letters, digits, hyphens and underscores only. Leave empty for a name made from the title. "
            "A number is added to a name that is taken."
        )
        super().__init__(**{"max_length": 90, "required": False, "help_text": help_text, **given})

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        # The browser checks it before files are sent.
        rule = {"pattern": r"[A-Za-z0-9_\-]+", "title": "Letters, digits, hyphens and underscores only."}
        return super().widget_attrs(widget) | rule

    def clean(self, value: Any) -> str:
        name: str = super().clean(value)
        if not name:
            return name
        try:
            return find_free_name(name)
        except ImportFailed as error:
            raise forms.ValidationError(f"This {error.rule}, got {error.got}") from error


def fill_name(cleaned: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a form, with a free name made from the title if the name was left empty."""
    if cleaned.get("name") == "" and cleaned.get("title"):
        return {**cleaned, "name": find_free_name(propose_name(cleaned["title"]))}
    return cleaned
