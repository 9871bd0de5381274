"""A text field that suggests common values and accepts any other."""

from collections.abc import Sequence
from typing import Any

from django import forms


class SuggestedInput(forms.TextInput):
    """An `<input>` with a `<datalist>`.

    Attributes:
        suggestions: Pairs of value and title, set by the form.
    """

    template_name = "studies/widgets/suggested_input.html"
    suggestions: Sequence[tuple[str, str]] = ()

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, {**(attrs or {}), "list": f"{name}-suggestions"})
        context["widget"]["suggestions"] = self.suggestions
        return context
