"""A choice that has a default, which an empty value means."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms


class DefaultChoiceField(forms.ChoiceField):
    """A choice with a default; naming the default is the same as omitting it."""

    def __init__(self, *, default: str = "", **rest: Any) -> None:
        super().__init__(required=False, **rest)
        self.default = default

    def to_python(self, value: Any) -> str:
        said: str = super().to_python(value)
        return "" if said == self.default else said

    def valid_value(self, value: str) -> bool:
        return value == self.default or super().valid_value(value)

    def offer(self, default: str, names: Iterable[str], titles: Mapping[str, str]) -> None:
        """Offer these names, the default first."""
        self.default = default
        self.choices = [
            ("", titles.get(default, default)),
            *((name, titles.get(name, name)) for name in names if name != default),
        ]
