"""For how many days something is good, as a field of a form."""

from typing import Any

from django import forms

from studies.access.terms import Term, read_link_term


def make_days_field(term: Term) -> forms.IntegerField:
    """Return a field for days within a term; what is left empty is the default."""
    return forms.IntegerField(
        label="Good for how many days",
        min_value=1,
        max_value=term.most,
        initial=term.default,
        required=False,
        help_text=f"At most {term.most}; empty for {term.default}.",
    )


class LinkForm(forms.Form):
    """For how long a link to a report is good."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"] = make_days_field(read_link_term())
