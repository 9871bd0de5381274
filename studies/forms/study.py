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
        return protocol if protocol == CUSTOM else check_protocol(protocol, study=self.instance)


def check_protocol(text: str, *, study: Study) -> str:
    """Return the protocol; raise ValidationError if it does not exist or is for another kind of study."""
    try:
        misfit = explain_misfit(read_protocol(text), kind=study.kind)
    except ProtocolUnknown as error:
        raise forms.ValidationError(str(error)) from error
    if misfit:
        raise forms.ValidationError(f"{study.get_kind_display()}: {misfit}, got {text}")
    return text
