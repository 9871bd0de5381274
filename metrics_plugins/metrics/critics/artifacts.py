"""Folders of learned metrics: a JSON card and files of tensors, each written atomically."""

import hashlib
import json
from collections.abc import Mapping, Set
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from execution.whole_files import write_whole
from metrics_plugins.api.errors import MetricError, MissingResource

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Settings = TypeVar("Settings", bound="DataclassInstance")
Tensors = Mapping[str, np.ndarray]


def read_card(path: Path, *, what: str, format_name: str, fields: Set[str]) -> dict[str, Any]:
    """Return the card of a learned metric.

    Args:
        path: The file.
        what: Names the missing thing in the error if there is no such file.
        format_name: The required value of the field `format`.
        fields: The other required fields.

    Raises:
        MissingResource: There is no such file.
        MetricError: The file has another version or is damaged.
    """
    if not path.is_file():
        raise MissingResource(
            f"{path.parent} holds no {what}: {path.name} is not there (`python -m metrics_plugins fit` makes one)"
        )
    card = read_json(path)
    if card.get("format") != format_name:
        raise MetricError(f"{path}: must be of the format {format_name!r}, got {card.get('format')!r}: fit it again")
    missing = fields - set(card)
    if missing:
        raise MetricError(f"{path}: is damaged: it lacks {', '.join(sorted(missing))}")
    return card


def read_json(path: Path) -> dict[str, Any]:
    """Return the object of a JSON file.

    Raises:
        MetricError: The file is damaged.
    """
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise MetricError(f"{path}: is damaged: it must be JSON, got: {error}") from error
    if not isinstance(content, dict):
        raise MetricError(f"{path}: is damaged: it must be a JSON object")
    return content


def read_settings(cls: type[Settings], data: Mapping[str, Any]) -> Settings:
    """Return the settings stored in a card.

    Args:
        cls: A dataclass that validates its fields.
        data: The values of its fields; missing fields get their defaults.

    Raises:
        MetricError: A field is unknown or invalid.
    """
    unknown = set(data) - {field.name for field in fields(cls)}
    if unknown:
        raise MetricError(f"settings of another version: {', '.join(sorted(unknown))} are not known")
    return cls(**data)


def write_card(path: Path, card: Mapping[str, Any]) -> None:
    """Write a card for `read_card`."""
    write_whole(path, (json.dumps(card, indent=1) + "\n").encode("ascii"))


def write_tensors(path: Path, tensors: Tensors) -> dict[str, str]:
    """Write tensors and return their entry in a card: `file` and `sha256`."""
    content = pack_tensors(tensors)
    write_whole(path, content)
    return {"file": path.name, "sha256": hashlib.sha256(content).hexdigest()}


def pack_tensors(tensors: Tensors) -> bytes:
    """Return tensors as the bytes of a safetensors file, which are the same for equal tensors."""
    from safetensors.numpy import save

    return save({name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)})


def remove_checkpoint_tensors(folder: Path, *, kept: str = "") -> None:
    """Remove the tensors of checkpoints except the file `kept`, and incomplete files of an interrupted write."""
    for path in (*folder.glob("checkpoint-*.safetensors"), *folder.glob(".checkpoint*.part")):
        if path.name != kept:
            path.unlink(missing_ok=True)


def read_tensors(path: Path, *, sha256: str) -> dict[str, np.ndarray]:
    """Return the tensors of a safetensors file.

    Raises:
        MissingResource: There is no such file.
        MetricError: The content does not match the hash.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    if not path.is_file():
        raise MissingResource(f"{path} is not there, though {path.parent} names it: fit it again")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise MetricError(f"{path}: is damaged: its content is not what was written ({len(content):,} bytes found)")
    try:
        return dict(load(content))
    except SafetensorError as error:
        raise MetricError(f"{path}: is damaged: {error}") from error
