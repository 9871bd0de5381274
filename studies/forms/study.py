"""What may be changed about a study outside of its design."""

from django import forms

from studies.domain.protocols import CUSTOM, ProtocolUnknown, read_protocol
from studies.models import Study


class StudyForm(forms.ModelForm):
    """Refuses a protocol that does not exist, before `correlate` does."""

    class Meta:
        model = Study
        fields = ("title", "protocol", "owner")

    def clean_protocol(self) -> str:
        protocol: str = self.cleaned_data["protocol"]
        if protocol != CUSTOM:
            try:
                read_protocol(protocol)
            except ProtocolUnknown as error:
                raise forms.ValidationError(str(error)) from error
        return protocol
