"""Forms for joining a challenge and for teams."""

from typing import Any

from django import forms


class TermsForm(forms.Form):
    """Acceptance of the terms, where they have not been accepted."""

    accept = forms.BooleanField(
        label="I accept the terms of the challenge", error_messages={"required": "Accept the terms to take part."}
    )

    def __init__(self, *args: Any, needs_terms: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_terms:
            del self.fields["accept"]


class TeamForm(TermsForm):
    """A new team."""

    name = forms.CharField(label="Name of your team", max_length=60, help_text="Shown on the leaderboard.")
    affiliation = forms.CharField(max_length=120, required=False, help_text="Your university or company.")

    field_order = ("name", "affiliation", "accept")
