"""The form for creating a study from files."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile

from studies.datasets.drafts.columns import read_choices
from studies.datasets.names import check_valid_name, propose_name
from studies.design.presets import PRESETS
from studies.enums import TaskKind
from studies.forms.fields.groups import FieldGroup
from studies.forms.fields.names import FreeNameField, fill_name
from studies.shared.errors import ImportFailed

_MAIN: Final = ("title", "name", "start")
_LONGEST_NAME: Final = 200
_FILES: Final = ("items", "images", "references")
_NOT_BLANK: Final = forms.TextInput(attrs={"pattern": r".*\S.*", "title": "More than blanks."})
# These inputs are beside the columns, outside of the form with the files.
_OF_FILES: Final = forms.NumberInput(attrs={"form": "again"})


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


class ColumnChoicesField(forms.Field):
    """`FIELD=COLUMN` choices, repeatable; they are one select for each field on the page."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[str]:
        choices = list(value or ())
        try:
            read_choices(choices)
        except ImportFailed as error:
            raise forms.ValidationError(f"{error}.") from error
        return choices


def list_starts() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the presets and kinds to start from, as groups of choices."""
    return [
        ("Published evaluation design", [(f"preset:{name}", str(preset.title)) for name, preset in PRESETS.items()]),
        ("Task kind, with your own design", [(f"kind:{kind}", kind.label) for kind in TaskKind]),
    ]


def fill_new_study_form(choices: Mapping[str, str]) -> "NewStudyForm":
    """Return the form of an upload; with its errors, if the values are those of a form that was refused."""
    given = {**choices, "columns": []}
    try:
        check_valid_name(choices["name"] or propose_name(choices["title"]))
    except ImportFailed:
        return NewStudyForm(given, keeps=["items"])
    is_refused = not choices["title"].strip()
    return NewStudyForm(given if is_refused else None, initial=given, keeps=["items"])


class NewStudyForm(forms.Form):
    """The name, design and files of a new study. `keeps` names the files stored already, which are not required."""

    title = forms.CharField(max_length=200, widget=_NOT_BLANK, help_text="Shown to raters and colleagues.")
    name = FreeNameField(label="Name in URLs")
    start = forms.ChoiceField(label="Start from", choices=list_starts)
    items = ManyFilesField(
        label="Items",
        help_text="One table (.csv, .tsv, .jsonl or .parquet), or COCO results (.json), one file per system.",
    )
    images = forms.FileField(
        required=False,
        help_text="A .zip file with one image file per image, named by its key. Not needed if captions are judged "
        "against a "
        "reference only.",
    )
    references = forms.FileField(
        required=False,
        help_text="Human captions that metrics compare candidates with: a table (.csv, .tsv, .jsonl or .parquet) "
        "with the columns image and reference, or COCO caption annotations (.json).",
    )

    columns = ColumnChoicesField(required=False)
    pairs_per_image = forms.IntegerField(
        label="Pairs per image",
        required=False,
        min_value=1,
        max_value=10_000,
        widget=_OF_FILES,
        help_text="Drawn at random. Leave empty for all pairs of systems.",
    )
    pair_seed = forms.IntegerField(
        label="Seed",
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        widget=_OF_FILES,
        help_text="The same seed draws the same pairs; 0 if empty.",
    )

    def __init__(self, *args: Any, keeps: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in keeps:
            self.fields[name].required = False
        if keeps:
            self.fields["items"].help_text += " Leave empty to keep the uploaded file."

    def clean(self) -> dict[str, Any]:
        return fill_name(super().clean() or self.cleaned_data)

    @property
    def main_part(self) -> FieldGroup:
        """The fields that are known before the files have been read."""
        return FieldGroup([self[name] for name in (*_MAIN, *_FILES)])

    @property
    def pair_part(self) -> FieldGroup:
        """How pairs are made of a table of systems."""
        return FieldGroup([self["pairs_per_image"], self["pair_seed"]])

    @property
    def choices(self) -> dict[str, str]:
        """The values of the fields other than files."""
        given = self.cleaned_data
        numbers = {name: given[name] for name in ("pairs_per_image", "pair_seed")}
        return {
            **{name: given[name] for name in _MAIN},
            "columns": json.dumps(given["columns"]),
            **{name: "" if number is None else str(number) for name, number in numbers.items()},
        }

    @property
    def kept(self) -> dict[str, str]:
        """The valid values of a form that was refused, and its names as sent, to be stored with its files."""
        given = self.cleaned_data
        valid = {name: given[name] for name in ("pairs_per_image", "pair_seed") if given.get(name) is not None}
        return {
            **{name: str(self.data.get(name, ""))[:_LONGEST_NAME] for name in ("name", "title")},
            "start": given.get("start") or list_starts()[0][1][0][0],
            "columns": json.dumps(given.get("columns", [])),
            **{name: str(number) for name, number in valid.items()},
        }

    @property
    def has_items(self) -> bool:
        """Whether files of items were sent, also with a form that was refused."""
        return bool(self.cleaned_data.get("items"))

    @property
    def sent(self) -> dict[str, Any]:
        """The uploaded files, by role; None for a file that is refused."""
        return {name: self.cleaned_data.get(name) for name in _FILES}
