"""The form for importing judgments that were collected elsewhere."""

import json
from collections.abc import Sequence
from typing import Any, Final

from django import forms

from studies.datasets.importing.uploaded import UPLOADED_FORMATS
from studies.forms.fields.groups import FieldGroup
from studies.forms.fields.names import FreeNameField
from studies.forms.new_study import ManyFilesField

_COLUMNS: Final = {
    "image": "Image",
    "candidate": "Caption",
    "value": "Judgment",
    "rater": "Rater",
    "system": "System",
    "criterion": "Criterion",
    "other_candidate": "Second caption of a pair",
    "other_system": "System of the second caption",
}
"""Field of a table of judgments -> its label."""
_MAIN: Final = ("format", "items", "references", "name", "scale")


class ImportForm(forms.Form):
    """The format, its files, and the columns of a table. `keeps` tells that files are stored already."""

    format = forms.ChoiceField(label="What do you have?", choices=list(UPLOADED_FORMATS.items()))
    items = ManyFilesField(
        label="Files",
        help_text="Of a table: .csv, .tsv, .jsonl, .json or .parquet, one row for each judgment. Of a published data "
        "set: its files as they were published, or a .zip of them.",
    )
    references = forms.FileField(
        required=False,
        help_text="Human captions that metrics compare candidates with, if they are in a file of their own: a table, "
        "COCO caption annotations, or the published file.",
    )
    name = FreeNameField(
        help_text="Of the study, used in URLs; by default the name of the data set or the file. A number is added to a "
        "name that is taken."
    )
    scale = forms.CharField(
        label="Values that a rating may have",
        required=False,
        max_length=200,
        help_text="<code>1-5</code> or <code>1,2,3,4</code>; any if empty. Only for tables of ratings.",
    )

    def __init__(self, *args: Any, keeps: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, label in _COLUMNS.items():
            self.fields[f"column_{field}"] = forms.CharField(label=label, required=False, max_length=200)
        if keeps:
            self.fields["items"].required = False
            self.fields["items"].help_text += " Leave empty to keep the uploaded files."

    @property
    def main_part(self) -> FieldGroup:
        """The format, the files and the study."""
        return FieldGroup([self[name] for name in _MAIN])

    @property
    def column_part(self) -> FieldGroup:
        """The columns of a table."""
        return FieldGroup([self[f"column_{field}"] for field in _COLUMNS])

    @property
    def choices(self) -> dict[str, str]:
        """The choices of `read_uploaded_data`."""
        given = self.cleaned_data
        columns = [f"{field}={given[f'column_{field}']}" for field in _COLUMNS if given[f"column_{field}"]]
        return {**{name: given[name] for name in ("format", "name", "scale")}, "columns": json.dumps(columns)}

    @property
    def sent(self) -> dict[str, Any]:
        """The uploaded files, by role."""
        return {name: self.cleaned_data[name] for name in ("items", "references")}


def fill_import_form(choices: dict[str, str]) -> dict[str, str]:
    """Return the initial values of the form for stored choices."""
    columns: Sequence[str] = json.loads(choices.get("columns") or "[]")
    named = {f"column_{field}": column for field, _, column in (each.partition("=") for each in columns)}
    return {**{name: choices.get(name, "") for name in ("format", "name", "scale")}, **named}
