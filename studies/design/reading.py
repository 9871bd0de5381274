"""Designs written down as TOML or JSON: the fields of `StudyDesign`, on top of a preset if one is named."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from math import inf
from typing import Any, Final, get_type_hints

from correlation.planning.stopping import SPENDINGS
from correlation.protocols.recipe import PAIR_MEASURES
from studies.design.design import (
    DESIGN_PARTS,
    INTERVAL_WIDTH,
    SETTLED_RANKING,
    Panel,
    ScalePoint,
    StoppingRule,
    StudyDesign,
)
from studies.design.presets import PRESETS
from studies.design.secret_fields import name_secrets
from studies.enums import PanelKind, RaterOutcome, TaskKind
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

MOST_LOOKS: Final = 20
MOST_WIDTH: Final = 2.0
"""Coefficients lie between -1 and 1."""

SHORTEST_SECRET: Final = 16
"""Characters of what a panel signs with."""
_TYPES: Final[Mapping[type, tuple[str, tuple[type, ...]]]] = {
    str: ("text", (str,)),
    bool: ("true or false", (bool,)),
    int: ("a whole number", (int,)),
    float: ("a number", (int, float)),
}


def read_design(file: SourceFile) -> tuple[StudyDesign, TaskKind | None]:
    """Return the design in a file, and the kind that its preset is for; None without a preset.

    Raises:
        ImportFailed: The file is neither TOML nor JSON, or a field is unknown or of another type; the message names it.
    """
    data = _parse(file)
    location = SourceLocation(file.name)
    preset = data.pop("preset", None)
    if preset is not None and preset not in PRESETS:
        raise ImportFailed(location.at("preset"), f"must be one of {', '.join(PRESETS)}", got=preset)
    known = PRESETS[preset] if preset else None
    base = asdict(known.design) if known else {}
    design = StudyDesign.from_json({**base, **read_fields(data, location)})
    check_sense(design, location)
    return design, TaskKind(known.kind) if known else None


def read_fields(data: Mapping[str, Any], location: SourceLocation) -> dict[str, Any]:
    """Return fields of a design, checked one by one, as its JSON has them; of a part, fields not given are defaults.

    A secret field of a part that is not given is not there: nobody who reads a design knows what to give.

    Raises:
        ImportFailed: A field is unknown or of another type.
    """
    return {name: _read_whole(name, value, location) for name, value in data.items()}


def _read_whole(name: str, value: Any, location: SourceLocation) -> Any:
    read = _to_json(_read_field(StudyDesign, name, value, location))
    if name not in DESIGN_PARTS or not isinstance(read, dict):
        return read
    unsaid = name_secrets(DESIGN_PARTS[name]) - set(value)
    return {inner: one for inner, one in read.items() if inner not in unsaid}


def _parse(file: SourceFile) -> dict[str, Any]:
    text = file.decode()
    try:
        data = json.loads(text) if file.name.endswith(".json") else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise ImportFailed(file.name, f"must be TOML, or JSON in a file that ends in .json: {error}") from error
    if not isinstance(data, dict):
        raise ImportFailed(file.name, "must hold the fields of a design")
    return data


def _read_field(owner: type, name: str, value: Any, location: SourceLocation) -> Any:
    names = [field.name for field in fields(owner)]
    here = location.at(f"{location.field}.{name}".lstrip("."))
    if name not in names:
        raise ImportFailed(here, f"is not a field; there are {', '.join(names)}")
    if name == "scale":
        return read_scale(value, here)
    if owner is StudyDesign and name in DESIGN_PARTS:
        return _read_part(DESIGN_PARTS[name], value, here)
    if owner is Panel and name == "codes":
        return _read_codes(value, here)
    if owner is Panel and name == "kind":
        return _read_member(PanelKind, value, here)
    return _read_plain(get_type_hints(owner)[name], value, here)


def _read_part(part: type, value: Any, location: SourceLocation) -> Any:
    if not isinstance(value, dict):
        raise ImportFailed(
            location, f"must be a table with fields of {', '.join(field.name for field in fields(part))}"
        )
    given = {name: _read_field(part, name, inner, location) for name, inner in value.items()}
    try:
        return part(**given)
    except TypeError as error:
        raise ImportFailed(location, f"lacks a field: {error}") from error


def read_scale(value: Any, location: SourceLocation) -> tuple[ScalePoint, ...]:
    """Read a list of `{value, label}`, or of labels, which are valued 1, 2, 3, ..."""
    if not isinstance(value, list) or len(value) < 2:
        raise ImportFailed(location, "must be a list of two labels or more, or of tables with value and label")
    points = []
    for number, entry in enumerate(value, start=1):
        here = location.at(f"{location.field}[{number}]")
        if isinstance(entry, str):
            points.append(ScalePoint(float(number), entry))
        else:
            points.append(_read_part(ScalePoint, entry, here))
    values = [point.value for point in points]
    if values != sorted(set(values)):
        raise ImportFailed(location, "must rise from the lowest value to the highest", got=Unquoted(values))
    return tuple(points)


def _read_codes(value: Any, location: SourceLocation) -> dict[RaterOutcome, str]:
    if not isinstance(value, dict):
        raise ImportFailed(location, f"must be a table with codes for {', '.join(RaterOutcome.values)}")
    return {
        _read_member(RaterOutcome, name, location.at(f"{location.field}.{name}")): _read_plain(str, code, location)
        for name, code in value.items()
    }


def _read_member(members: Any, value: Any, location: SourceLocation) -> Any:
    if value not in members.values:
        raise ImportFailed(location, f"must be one of {', '.join(members.values)}", got=value)
    return members(value)


def _read_plain(kind: Any, value: Any, location: SourceLocation) -> Any:
    # Of `float | None` what is not None.
    wanted = next((inner for inner in getattr(kind, "__args__", (kind,)) if inner in _TYPES), str)
    words, accepted = _TYPES[wanted]
    if not isinstance(value, accepted) or (isinstance(value, bool) and wanted is not bool):
        raise ImportFailed(location, f"must be {words}", got=value)
    return wanted(value)


def check_sense(design: StudyDesign, location: SourceLocation) -> None:
    """Raise ImportFailed, naming the field, where values of a design contradict each other or are out of range."""
    least = {
        "raters_per_task": (design.raters_per_task, 1),
        "lease_minutes": (design.lease_minutes, 1),
        "tasks_per_rater": (design.tasks_per_rater, 0),
        "tasks_per_session": (design.tasks_per_session, 0),
        "task_seconds": (design.task_seconds, 0),
        "retention_days": (design.retention_days, 0),
        "checks.every": (design.checks.every, 0),
    }
    for name, (value, bound) in least.items():
        if value < bound:
            raise ImportFailed(location.at(name), f"must be {bound} or more", got=Unquoted(value))
    money = {"reward": design.pay.reward, "hourly_wage": design.pay.hourly_wage, "budget": design.pay.budget}
    for name, amount in {**money, "fee_share": design.pay.fee_share}.items():
        if not 0 <= amount < inf:
            raise ImportFailed(location.at(f"pay.{name}"), "must be 0 or more", got=Unquoted(amount))
    if design.panel.return_url and not design.panel.return_url.startswith(("https://", "http://")):
        raise ImportFailed(
            location.at("panel.return_url"), "must begin with https:// or http://", got=design.panel.return_url
        )
    _check_signing(design.panel, location)
    if design.slider and not design.slider.low < design.slider.high:
        raise ImportFailed(location.at("slider"), "must have low below high")
    if design.stopping_rule:
        _check_stopping(design.stopping_rule, location)
    if design.qualification and design.qualification.attempts < 2:
        raise ImportFailed(location.at("qualification.attempts"), "must be 2 or more: one attempt is not enough")
    if design.qualification and not 0 < design.qualification.pass_share <= 1:
        raise ImportFailed(location.at("qualification.pass_share"), "must be above 0 and at most 1")


def _check_signing(panel: Panel, location: SourceLocation) -> None:
    if not panel.is_signed:
        return
    if panel.kind not in (PanelKind.PROLIFIC, PanelKind.GENERIC):
        raise ImportFailed(location.at("panel.is_signed"), "is for the panels prolific and generic", got=panel.kind)
    if panel.kind == PanelKind.GENERIC and len(panel.signing_secret) < SHORTEST_SECRET:
        rule = f"must have {SHORTEST_SECRET} characters or more where a generic panel signs"
        raise ImportFailed(location.at("panel.signing_secret"), rule)
    if panel.kind == PanelKind.GENERIC and not panel.signature_parameter:
        raise ImportFailed(location.at("panel.signature_parameter"), "must be named where a generic panel signs")


def _check_stopping(rule: StoppingRule, location: SourceLocation) -> None:
    for name, value, known in (
        ("kind", rule.kind, (INTERVAL_WIDTH, SETTLED_RANKING)),
        ("spending", rule.spending, tuple(SPENDINGS)),
        ("measure", rule.measure, ("", *PAIR_MEASURES)),
    ):
        if value not in known:
            raise ImportFailed(location.at(f"stopping_rule.{name}"), f"must be one of {', '.join(known)}", got=value)
    for name, fits, words in (
        ("width", 0 < rule.width <= MOST_WIDTH, f"must be above 0 and at most {MOST_WIDTH}"),
        ("looks", 1 <= rule.looks <= MOST_LOOKS, f"must be from 1 to {MOST_LOOKS}"),
        ("alpha", 0 < rule.alpha < 1, "must be above 0 and below 1"),
        ("max_judgments", rule.max_judgments >= 0, "must be 0 or more"),
    ):
        if not fits:
            raise ImportFailed(location.at(f"stopping_rule.{name}"), words, got=Unquoted(getattr(rule, name)))


def _to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_to_json(inner) for inner in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
