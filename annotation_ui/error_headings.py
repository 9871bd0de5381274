"""Headings over the errors of a form, for the number of errors there are, and for fewer as they are corrected."""

from django import forms
from django.utils.translation import ngettext


class FormWithHeadings(forms.Form):
    """A form whose page lists its errors."""

    @property
    def has_wrong_answers(self) -> bool:
        """Whether an answer is invalid; False if answers are only missing."""
        return False

    @property
    def error_headings(self) -> list[str]:
        """The headings over one, two, ... errors, up to the number of fields with errors."""
        counts = range(1, len(self.errors) + 1)
        if not self.has_wrong_answers:
            return [ngettext("One answer is missing", "%(n)s answers are missing", n) % {"n": n} for n in counts]
        return [
            ngettext("Please look at one answer again", "Please look at %(n)s answers again", n) % {"n": n}
            for n in counts
        ]
