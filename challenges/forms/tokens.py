"""The form for a token of a team or of a host."""

from typing import Any

from django import forms

from studies.access.terms import read_token_term
from studies.forms.fields.term import make_days_field


class TokenForm(forms.Form):
    """The purpose of a token and its validity."""

    name = forms.CharField(label="Name of the token", max_length=100, help_text="For example the training script.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"] = make_days_field(read_token_term())
