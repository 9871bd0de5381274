"""The form for the title and the protocol of a study."""

from django import forms

from correlation.protocols.reading import ProtocolUnknown, read_protocol
from studies.design.protocols import CUSTOM, explain_misfit
from studies.models import Study


class StudyForm(forms.ModelForm):
    """Rejects a protocol that does not exist or is for another kind of study, before `correlate` does."""

    class Meta:
        model = Study
        fields = ("title", "protocol", "owner")

    def clean_protocol(self) -> str:
        protocol: str = self.cleaned_data["protocol"]
        if protocol != CUSTOM:
            try:
                misfit = explain_misfit(read_protocol(protocol), kind=self.instance.kind)
            except ProtocolUnknown as error:
                raise forms.ValidationError(str(error)) from error
            if misfit:
                raise forms.ValidationError(f"{self.instance.get_kind_display()}: {misfit}, got {protocol}")
        return protocol
