"""The base of the forms for sections of a study's design."""

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, ClassVar, Final

from django import forms

from studies.design.completeness import list_needed
from studies.design.study_design import StudyDesign
from studies.forms.fields.groups import FieldGroup

_HIDDEN: Final = "Set. Only the owner and editors can see the value."


class SectionForm(forms.Form):
    """One section of a design.

    Class attributes:
        title: The section's heading.
        hint: A sentence below it.
        part: The part of the design that has these fields; empty for fields of the design itself.
        parts: Name, legend and fields of what is shown for some choices only; the style sheet knows for which.
    """

    title: ClassVar[str]
    hint: ClassVar[str] = ""
    part: ClassVar[str] = ""
    parts: ClassVar[tuple[tuple[str, str, tuple[str, ...]], ...]] = ()

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        design: StudyDesign,
        kind: str,
        section: str,
        frozen: Mapping[str, str] = MappingProxyType({}),
        may_change: bool = True,
        typed: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Create the form with the values of the design; `frozen` has the fields that cannot change, with the reason.

        `typed` has values that are shown instead, by the name of the field in the page.

        For those who may not change the design, it shows only whether secret fields are set.
        """
        self.section, self.kind = section, kind
        shown, kept = (design, {}) if may_change else (design.without_secrets(), design.list_secrets())
        super().__init__(data, initial=self.recall(shown), auto_id="%s", prefix=section)
        needed = list_needed(kind, design.panel.kind)
        for name, field in self.fields.items():
            path = self.name_path(name)
            if path in needed:
                # A draft may be saved without it, so the form itself does not require it.
                field.is_needed = True
                field.widget.attrs["aria-required"] = "true"
            if path in kept:
                field.help_text = _HIDDEN
            reason = frozen.get(path) or frozen.get(name) or frozen.get(path.partition(".")[0])
            if reason:
                field.help_text = reason
            field.disabled = bool(reason) or not may_change
        self._show(typed)

    def _show(self, typed: Mapping[str, Any]) -> None:
        """Show what was typed in the fields that can be changed."""
        given = {name: self.add_prefix(name) for name, field in self.fields.items() if not field.disabled}
        self.initial |= {name: typed[html_name] for name, html_name in given.items() if html_name in typed}

    @property
    def groups(self) -> list[FieldGroup]:
        """All fields: those that are always shown, then each part."""
        apart = {name for _, _, names in self.parts for name in names}
        always = FieldGroup([self[name] for name in self.fields if name not in apart])
        parts = [
            FieldGroup([self[name] for name in names if name in self.fields], name=part, legend=legend)
            for part, legend, names in self.parts
        ]
        return [group for group in (always, *parts) if group.visible_fields]

    @classmethod
    def fits(cls, kind: str) -> bool:
        """Return whether the section applies to studies of this kind."""
        return True

    def name_path(self, name: str) -> str:
        """Return the path of a field in the design."""
        return f"{self.part}.{name}".lstrip(".")

    def recall(self, design: StudyDesign) -> dict[str, Any]:
        """Return the values of the fields in a design."""
        values = asdict(design)
        return dict(values[self.part] if self.part else {name: values[name] for name in self.base_fields})

    def list_changes(self) -> dict[str, Any]:
        """Return the fields of the design, for a valid form."""
        return {self.part: self.cleaned_data} if self.part else dict(self.cleaned_data)

    def tell(self, path: str, problem: str) -> None:
        """Add an error to the field with this path in the design, else to the form as a whole."""
        names = {self.name_path(name): name for name in self.fields}
        name = names.get(path) or (path if path in self.fields else None)
        self.add_error(name, problem)

    def owns(self, path: str) -> bool:
        """Return whether the section has the field with this path in the design, or a part of it."""
        top = path.partition(".")[0]
        return any(self.name_path(name).partition(".")[0] == top or name == top for name in self.fields)

    def guess_field(self, path: str) -> str:
        """Return the field that is nearest to a path in the design: of the same last name, else the first."""
        last = path.rpartition(".")[2]
        return last if last in self.fields else next(iter(self.fields))
