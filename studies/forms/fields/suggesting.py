"""A text field that proposes what is common and takes anything else too."""

from collections.abc import Sequence
from typing import Any

from django import forms


class SuggestedInput(forms.TextInput):
    """An `<input>` with a `<datalist>`.

    Attributes:
        suggestions: A value and its title each; a form sets them when it knows them.
    """

    template_name = "studies/widgets/suggested_input.html"
    suggestions: Sequence[tuple[str, str]] = ()

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, {**(attrs or {}), "list": f"{name}-suggestions"})
        context["widget"]["suggestions"] = self.suggestions
        return context
