"""The form for cloning a study, either all or as a pilot, with changes of the design."""

from dataclasses import fields
from typing import Any, Final

from django import forms

from studies.datasets.cloning import read_setting
from studies.design.study_design import DESIGN_PARTS, StudyDesign
from studies.forms.fields.names import FreeNameField, fill_name
from studies.shared.errors import ImportFailed


def _list_settings() -> list[str]:
    parts = {each.name: DESIGN_PARTS.get(each.name) for each in fields(StudyDesign)}
    found = ([f"{name}.{inner.name}" for inner in fields(part)] if part else [name] for name, part in parts.items())
    return [name for names in found for name in names if name != "panel.codes"]


SETTINGS: Final = tuple(_list_settings())


class CloneForm(forms.Form):
    """The name of the clone, and its changes."""

    title = forms.CharField(max_length=200)
    name = FreeNameField(label="Name in URLs")
    n_tasks = forms.IntegerField(
        label="Number of main tasks (pilot)",
        required=False,
        min_value=1,
        help_text="Sampled at random; leave empty for a full clone. Judgments of a pilot are kept separate from "
        "those of the study.",
    )
    setting = forms.ChoiceField(
        label="Setting to change", required=False, choices=[("", "none"), *((name, name) for name in SETTINGS)]
    )
    value = forms.CharField(
        label="New value",
        required=False,
        max_length=5000,
        help_text="A number, true or false, or text; a scale as in a design file: ['Bad', 'Good'].",
    )

    def __init__(self, *args: Any, n_main: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["n_tasks"] = forms.IntegerField(
            label=self.fields["n_tasks"].label,
            required=False,
            min_value=1,
            max_value=max(1, n_main),
            help_text=self.fields["n_tasks"].help_text,
        )

    def clean(self) -> dict[str, Any]:
        cleaned = fill_name(super().clean() or {})
        if cleaned.get("setting"):
            try:
                cleaned["changes"] = read_setting(cleaned["setting"], cleaned.get("value", ""))
            except ImportFailed as error:
                self.add_error("value", f"This {error.rule}" + (f", got {error.got}" if error.got else ""))
        return cleaned
