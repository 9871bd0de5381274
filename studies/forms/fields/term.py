"""A form field for a validity in days."""

from typing import Any

from django import forms

from studies.access.terms import Term, read_link_term


def make_days_field(term: Term) -> forms.IntegerField:
    """Return a field for days within a term; if it is empty, the default is used."""
    return forms.IntegerField(
        label="Valid for (days)",
        min_value=1,
        max_value=term.most,
        initial=term.default,
        required=False,
        help_text=f"At most {term.most}; {term.default} if empty.",
    )


class LinkForm(forms.Form):
    """The validity of a link to a report."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"] = make_days_field(read_link_term())
