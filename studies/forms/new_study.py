"""The form for creating a study from files."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from studies.design.presets import PRESETS
from studies.enums import TaskKind
from studies.forms.fields.names import FreeNameField


class ManyFiles(forms.ClearableFileInput):
    """An input for one or several files."""

    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """One or several files, each of which is validated separately."""

    widget = ManyFiles(attrs={"multiple": True})

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        single = super().clean
        if isinstance(data, Sequence) and data:
            return [single(one, initial) for one in data]
        one = single(None, initial)
        return [one] if one else []


def list_starts() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the presets and kinds to start from, as groups of choices."""
    return [
        ("Published evaluation design", [(f"preset:{name}", str(preset.title)) for name, preset in PRESETS.items()]),
        ("Task kind, with your own design", [(f"kind:{kind}", kind.label) for kind in TaskKind]),
    ]


class NewStudyForm(forms.Form):
    """The name, design and files of a new study. `keeps` names the files stored already, which are not required."""

    name = FreeNameField()
    title = forms.CharField(max_length=200, help_text="Shown to raters and colleagues.")
    start = forms.ChoiceField(label="Start from", choices=list_starts)
    items = ManyFilesField(
        label="Items",
        help_text="One table (.csv, .jsonl or .parquet), or COCO results (.json), one file per system.",
    )
    images = forms.FileField(
        required=False,
        help_text="A .zip file with one image file per image, named by its key. Not needed if captions are judged "
        "against a "
        "reference only.",
    )
    references = forms.FileField(
        required=False,
        help_text="Human captions that metrics compare candidates with: a table (.csv, .jsonl or .parquet) with the "
        "columns image and reference, or COCO caption annotations (.json).",
    )

    def __init__(self, *args: Any, keeps: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in keeps:
            self.fields[name].required = False
        if keeps:
            self.fields["items"].help_text += " Leave empty to keep the uploaded file."

    @property
    def choices(self) -> dict[str, str]:
        """The values of the fields other than files."""
        return {name: self.cleaned_data[name] for name in ("name", "title", "start")}

    @property
    def sent(self) -> dict[str, Any]:
        """The uploaded files, by role."""
        return {name: self.cleaned_data[name] for name in ("items", "images", "references")}
