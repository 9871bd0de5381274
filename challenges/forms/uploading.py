"""The form for a file of results."""

from django import forms
from django.core.files.uploadedfile import UploadedFile


class UploadForm(forms.Form):
    """A file of results and a description of how it was made."""

    file = forms.FileField(label="File of results", help_text="A .json file, or a .zip file with one such file.")
    description = forms.CharField(
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Seen by your team and the hosts, for example the training data and settings.",
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        name = file.name or ""
        if not name.lower().endswith((".json", ".zip")):
            raise forms.ValidationError(f"The name must end with .json or .zip, got {name}")
        return file
