"""Forms that identify a person by panel and id, and confirm an erasure."""

from django import forms

from studies.collection.arrival.raters import Participant
from studies.enums import PanelKind

_KNOWN = [(kind.value, kind.label) for kind in PanelKind if kind != PanelKind.LINK]


class PersonForm(forms.Form):
    """The person who makes a request. Use POST only, since URLs are logged."""

    panel = forms.ChoiceField(label="Panel", choices=_KNOWN)
    person = forms.CharField(
        label="Id or invited name",
        max_length=200,
        help_text="Exactly as in the panel or in the list of invited people.",
    )

    def read_participant(self) -> Participant:
        """Return the person, for a valid form."""
        return Participant(self.cleaned_data["panel"], self.cleaned_data["person"])


class ErasureForm(PersonForm):
    """The person, with a confirmation that is not selected initially."""

    panel = forms.ChoiceField(choices=_KNOWN, widget=forms.HiddenInput)
    person = forms.CharField(max_length=200, widget=forms.HiddenInput)
    answers = forms.ChoiceField(
        label="Answers",
        choices=[("erase", "Erase the answers too"), ("keep", "Keep the answers without the rater's identity")],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what happens to the answers."},
    )
    confirmed = forms.BooleanField(
        label="Erase this person's data. This cannot be undone.",
        error_messages={"required": "Tick the box to confirm."},
    )
