"""The versions of the design of a study, and the differences between them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from studies.design.study_design import StudyDesign
from studies.models import Study, StudyVersion
from studies.shared.text import unify_line_ends

_NOT_SHOWN: Final = "(set, not shown)"
_NOT_SHOWN_EITHER: Final = "(changed, not shown)"


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs between two designs, by its dotted path, such as `pay.reward`."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DesignStep:
    """One version, and its changes since the one before; empty for the first."""

    version: StudyVersion
    changes: tuple[Change, ...]


def list_design_steps(study: Study) -> list[DesignStep]:
    """Return the versions of a study's design, newest first."""
    versions = list(StudyVersion.objects.filter(study=study).select_related("created_by").order_by("number"))
    designs = [StudyDesign.from_json(version.design) for version in versions]
    steps = [
        DesignStep(version, compare_designs(designs[max(0, index - 1)], designs[index]))
        for index, version in enumerate(versions)
    ]
    return steps[::-1]


def compare_designs(before: StudyDesign, after: StudyDesign) -> tuple[Change, ...]:
    """Return the fields that differ in the order of the design, then the secret ones without their values.

    Line ends and white space around a text make no difference: browsers and forms change them.
    """
    old, new = (dict(_flatten(design.to_public_json())) for design in (before, after))
    was, now = before.list_secrets(), after.list_secrets()
    secret = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    names = dict.fromkeys((*old, *new, *secret))
    for name in secret:
        old[name] = _NOT_SHOWN if name in was else ""
        new[name] = (_NOT_SHOWN_EITHER if name in was else _NOT_SHOWN) if name in now else ""
    return tuple(
        Change(name, before=old.get(name, ""), after=new.get(name, ""))
        for name in names
        if old.get(name, "") != new.get(name, "")
    )


def _flatten(data: Mapping[str, Any], *, above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, above=f"{above}{name}.")
        else:
            yield f"{above}{name}", _write(value)


def _write(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "\n".join(f"{point['value']:g} {point['label']}" for point in value)
    return f"{value:g}" if isinstance(value, float) else unify_line_ends(str(value)).strip()
