"""Who asks, by panel and id, and what is to be done."""

from django import forms

from studies.collection.arrival.raters import Participant
from studies.enums import PanelKind

SEARCH, EXPORT, ERASE = "search", "export", "erase"
_KNOWN = [(kind.value, kind.label) for kind in PanelKind if kind != PanelKind.LINK]


class PersonForm(forms.Form):
    """Whom a request is of. Sent by post only: an address would be kept in logs."""

    panel = forms.ChoiceField(label="Panel", choices=_KNOWN)
    person = forms.CharField(
        label="Id or invited name", max_length=200, help_text="Exactly as the panel, or the list of people, has it."
    )

    def read_participant(self) -> Participant:
        """Return who it is, of a valid form."""
        return Participant(self.cleaned_data["panel"], self.cleaned_data["person"])


class ErasureForm(PersonForm):
    """The same, with a confirmation; nothing is chosen beforehand."""

    panel = forms.ChoiceField(choices=_KNOWN, widget=forms.HiddenInput)
    person = forms.CharField(max_length=200, widget=forms.HiddenInput)
    answers = forms.ChoiceField(
        label="The answers",
        choices=[("erase", "Erase them too"), ("keep", "Keep them, without anything that says whose they are")],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what is to become of the answers."},
    )
    confirmed = forms.BooleanField(
        label="Erase this person. It cannot be undone.",
        error_messages={"required": "Tick the box to confirm."},
    )
