"""Reads designs in TOML or JSON: the fields of `StudyDesign`, based on a preset if one is named."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from studies.design.presets import PRESETS
from studies.design.secret_fields import name_secrets
from studies.design.study_design import DESIGN_PARTS, Panel, StudyDesign
from studies.enums import PanelKind, TaskKind
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile
from studies.shared.schemas import read_value

SHORTEST_SECRET: Final = 16
"""The minimum length of a panel's signing secret, in characters."""


def read_design(file: SourceFile) -> tuple[StudyDesign, TaskKind | None]:
    """Return the design in a file, and the kind of its preset; None without a preset.

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
    """Return checked fields of a design as in its JSON; fields of a part that are not given have their defaults.

    Secret fields of a part that are not given are left out, since readers of a design do not know their values.

    Raises:
        ImportFailed: A field is unknown or breaks its rule.
    """
    read = json.loads(json.dumps(read_value(StudyDesign, data, location).to_json()))
    for name, part in DESIGN_PARTS.items():
        for secret in name_secrets(part) - set(data.get(name) or ()):
            (read[name] or {}).pop(secret, None)
    return {name: read[name] for name in data}


def _parse(file: SourceFile) -> dict[str, Any]:
    text = file.decode()
    try:
        data = json.loads(text) if file.name.endswith(".json") else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise ImportFailed(file.name, f"must be TOML, or JSON in a file that ends in .json: {error}") from error
    if not isinstance(data, dict):
        raise ImportFailed(file.name, "must hold the fields of a design")
    return data


def check_sense(design: StudyDesign, location: SourceLocation) -> None:
    """Raise ImportFailed with the name of the field if a value breaks its rule or values contradict each other."""
    read_value(StudyDesign, asdict(design), location)
    if design.slider and not design.slider.low < design.slider.high:
        raise ImportFailed(location.at("slider"), "must have a low value below the high value")
    _check_signing(design.panel, location)


def _check_signing(panel: Panel, location: SourceLocation) -> None:
    if not panel.is_signed:
        return
    if panel.kind not in (PanelKind.PROLIFIC, PanelKind.GENERIC):
        raise ImportFailed(location.at("panel.is_signed"), "is for the panels prolific and generic", got=panel.kind)
    if panel.kind == PanelKind.GENERIC and len(panel.signing_secret) < SHORTEST_SECRET:
        rule = f"must have {SHORTEST_SECRET} characters or more if a generic panel signs URLs"
        raise ImportFailed(location.at("panel.signing_secret"), rule)
    if panel.kind == PanelKind.GENERIC and not panel.signature_parameter:
        raise ImportFailed(location.at("panel.signature_parameter"), "must be set if a generic panel signs URLs")
