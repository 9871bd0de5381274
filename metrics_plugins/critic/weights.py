"""What a critic has learned, and the folder that keeps it: `critic.json` and `weights.safetensors`."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from metrics_plugins.api import MetricError, MissingResource
from metrics_plugins.critic.settings import CriticSettings
from metrics_plugins.critic.vocabulary import Vocabulary

FORMAT: Final = "accordance critic-lstm 1"
_CARD: Final = "critic.json"
_TENSORS: Final = "weights.safetensors"

Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A critic that has learned.

    Attributes:
        settings: How it is built and how it learned.
        vocabulary: The words that it knows.
        tensors: The network's weights by name, float32.
        image_ids: The images whose captions it learned from, which it does not score.
        made_of: What else identifies its making: digest of the captions, seed, passes, versions.
    """

    settings: CriticSettings
    vocabulary: Vocabulary
    tensors: Tensors = field(repr=False)
    image_ids: frozenset[str] = field(repr=False)
    made_of: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Identifies weights, vocabulary and settings: all that a score depends on."""
        digest = hashlib.sha256(self.settings.digest.encode() + repr(self.vocabulary.words).encode())
        for name in sorted(self.tensors):
            digest.update(name.encode() + np.ascontiguousarray(self.tensors[name]).tobytes())
        return digest.hexdigest()[:12]

    def write(self, folder: Path) -> None:
        """Write both files, the card last: a folder without a whole card holds no critic."""
        content = pack_tensors(self.tensors)
        card = {
            "format": FORMAT,
            "settings": asdict(self.settings),
            "made_of": dict(self.made_of),
            "weights": {"file": _TENSORS, "sha256": hashlib.sha256(content).hexdigest()},
            "vocabulary": list(self.vocabulary.words),
            "images": sorted(self.image_ids),
        }
        write_atomically(folder / _TENSORS, content)
        write_atomically(folder / _CARD, json.dumps(card, indent=1).encode("ascii"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read what `write` wrote.

        Raises:
            MissingResource: There is no such folder, or no critic in it.
            MetricError: It is of another version, or damaged; the message names the file.
        """
        card = _read_card(folder)
        settings = CriticSettings.read(card["settings"])
        tensors = read_tensors(folder / _TENSORS, sha256=card["weights"]["sha256"])
        return cls(
            settings=settings,
            vocabulary=Vocabulary(tuple(card["vocabulary"])),
            tensors=tensors,
            image_ids=frozenset(card["images"]),
            made_of=card["made_of"],
        )


def has_weights(folder: Path) -> bool:
    """Tell whether a folder holds a critic that has learned."""
    return (folder / _CARD).is_file()


def _read_card(folder: Path) -> dict[str, Any]:
    path = folder / _CARD
    if not path.is_file():
        raise MissingResource(
            f"{folder} holds no critic: {_CARD} is not there (`python -m metrics_plugins fit` makes one)"
        )
    content = read_json(path)
    if content.get("format") != FORMAT:
        raise MetricError(f"{path}: must be of the format {FORMAT!r}, got {content.get('format')!r}: fit it again")
    missing = {"settings", "made_of", "weights", "vocabulary", "images"} - set(content)
    if missing:
        raise MetricError(f"{path}: is damaged: it lacks {', '.join(sorted(missing))}")
    return content


def read_json(path: Path) -> dict[str, Any]:
    """Return the object of a JSON file.

    Raises:
        MetricError: It is damaged.
    """
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise MetricError(f"{path}: is damaged: it must be JSON, got: {error}") from error
    if not isinstance(content, dict):
        raise MetricError(f"{path}: is damaged: it must be a JSON object")
    return content


def pack_tensors(tensors: Tensors) -> bytes:
    """Return tensors as the bytes of a safetensors file: the same for the same numbers."""
    from safetensors.numpy import save

    return save({name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)})


def read_tensors(path: Path, *, sha256: str) -> dict[str, np.ndarray]:
    """Return the tensors of a safetensors file.

    Raises:
        MissingResource: There is no such file.
        MetricError: Its content is not what it was when it was written.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    if not path.is_file():
        raise MissingResource(f"{path} is not there, though {path.parent} names it: fit the critic again")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise MetricError(f"{path}: is damaged: its content is not what was written ({len(content):,} bytes found)")
    try:
        return dict(load(content))
    except SafetensorError as error:
        raise MetricError(f"{path}: is damaged: {error}") from error


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its place, on the disk, and move it there when it is whole."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
