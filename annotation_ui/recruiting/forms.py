"""Forms for personal links."""

from typing import Any

from django import forms
from django.conf import settings

from studies.collection.arrival.people import parse_people
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile

_LONGEST_LIST = 1 << 20


class PeopleForm(forms.Form):
    """People to invite: typed, or in a file."""

    people = forms.CharField(
        label="People",
        required=False,
        max_length=_LONGEST_LIST,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="One in each line: a number or an e-mail address.",
    )
    file = forms.FileField(
        label="Or a file", required=False, help_text="A .csv with a column person, or the people in the first column."
    )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        file = given.get("file")
        if file is not None and file.size > _LONGEST_LIST:
            raise forms.ValidationError("The file may have at most 1 MB.")
        source = (
            SourceFile(file.name, file.read()) if file else SourceFile("the list", given.get("people", "").encode())
        )
        try:
            given["listed"] = parse_people(source)
        except ImportFailed as error:
            raise forms.ValidationError(f"{error}.") from error
        return given


class ResumeForm(forms.Form):
    """The rater who continues in another browser."""

    participant = forms.CharField(label="Id of the rater", max_length=200, help_text="As on the panel, or as invited.")


class QuestionForm(forms.Form):
    """The frame in which Mechanical Turk shows a study."""

    frame_height = forms.IntegerField(
        label="Height of the frame, in pixels", required=False, min_value=0, max_value=10_000,
        help_text="0 or empty fits the window."
    )  # fmt: skip


class BatchForm(forms.Form):
    """Where the images of a batch are."""

    images_url = forms.URLField(
        label="Address of the images",
        required=False,
        assume_scheme="https",
        help_text="A folder that has them under their keys; if empty, small images are part of the file.",
    )


class ResultsForm(forms.Form):
    """The results of a batch, as the panel offers them."""

    results = forms.FileField(label="Results", help_text="The .csv that Mechanical Turk or Turkle offers to download.")

    def clean_results(self) -> Any:
        file = self.cleaned_data["results"]
        most = settings.ACCORDANCE_UPLOAD_MB
        if file.size > most << 20:
            raise forms.ValidationError(f"The file may have at most {most} MB.")
        return file
