"""Confirmations of deviations from a preregistration, in a page's form or in a query."""

from collections.abc import Mapping
from typing import Final

from django import forms

from studies.design.preregistration.deviations import Confirmation, DeviationNotConfirmed

CONFIRM: Final = "confirm_deviation"
REASON: Final = "deviation_reason"
LONGEST_REASON: Final = 2000
_YES: Final = ("1", "on", "true")


class ConfirmableForm(forms.Form):
    """A form for a change that may deviate from the preregistration.

    Attributes:
        unconfirmed: The refusal of an unconfirmed deviation; if it is set, the form asks for the confirmation.
    """

    unconfirmed: DeviationNotConfirmed | None = None

    @property
    def confirmation(self) -> Confirmation:
        """The confirmation that was sent with the form."""
        return read_confirmation(self.data)


def read_confirmation(given: Mapping[str, str]) -> Confirmation:
    """Return the confirmation in the fields of a form or in a query; a longer reason is cut off."""
    reason = given.get(REASON, "").strip()[:LONGEST_REASON]
    return Confirmation(given.get(CONFIRM, "").lower() in _YES, reason)
