"""Making a study of files."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from studies.design.presets import PRESETS
from studies.enums import TaskKind
from studies.forms.fields.names import FreeNameField


class ManyFiles(forms.ClearableFileInput):
    """A choice of one file or several."""

    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """One file or several; each is checked as a single one would be."""

    widget = ManyFiles(attrs={"multiple": True})

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        single = super().clean
        if isinstance(data, Sequence) and data:
            return [single(one, initial) for one in data]
        one = single(None, initial)
        return [one] if one else []


def list_starts() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what a study may start from, as groups of choices."""
    return [
        ("A published evaluation", [(f"preset:{name}", str(preset.title)) for name, preset in PRESETS.items()]),
        ("A kind of task, with a design of your own", [(f"kind:{kind}", kind.label) for kind in TaskKind]),
    ]


class NewStudyForm(forms.Form):
    """What a study is made of. `keeps` names the files that came before and need not come again."""

    name = FreeNameField()
    title = forms.CharField(max_length=200, help_text="What raters and colleagues read.")
    start = forms.ChoiceField(label="Start from", choices=list_starts)
    items = ManyFilesField(
        label="What is judged",
        help_text="One table (.csv, .jsonl or .parquet), or COCO results (.json), a file for each system.",
    )
    images = forms.FileField(
        required=False,
        help_text="A .zip with a picture for each image, named by its key. Not needed where captions are judged by a "
        "reference alone.",
    )
    references = forms.FileField(
        required=False,
        help_text="Captions that people wrote, where metrics are to be compared with people later: a table (.csv, "
        ".jsonl or .parquet) with the columns image and reference, or COCO's file of captions (.json).",
    )

    def __init__(self, *args: Any, keeps: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in keeps:
            self.fields[name].required = False
        if keeps:
            self.fields["items"].help_text += " Left empty, what you sent stays."

    @property
    def choices(self) -> dict[str, str]:
        """What is not a file."""
        return {name: self.cleaned_data[name] for name in ("name", "title", "start")}

    @property
    def sent(self) -> dict[str, Any]:
        """The files that came, by role."""
        return {name: self.cleaned_data[name] for name in ("items", "images", "references")}
