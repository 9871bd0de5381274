"""Folders of trained captioners with a network: `captioner.json` and `weights.safetensors`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from captioning.api.errors import BadCheckpoint, CaptionerError
from captioning.networks.settings import Architecture
from captioning.training.settings import TrainingSettings
from metrics_plugins.api.errors import MetricError
from metrics_plugins.metrics.critics.artifacts import read_json, read_tensors, write_card, write_tensors
from metrics_plugins.text.vocabulary import Vocabulary

FORMAT: Final = "accordance captioner 1"
CARD: Final = "captioner.json"
WEIGHTS: Final = "weights.safetensors"


def _is_size(value: object) -> bool:
    return type(value) is int and value > 0


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value) and len(set(value)) == len(value)


_FIELDS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "captioner": ("a text", lambda value: isinstance(value, str)),
    "settings": ("an object", lambda value: isinstance(value, dict)),
    "words": ("a list of different words", _is_text_list),
    "shape": (
        "null or two positive numbers",
        lambda value: value is None or (isinstance(value, list) and len(value) == 2 and all(map(_is_size, value))),
    ),
    "dimension": ("null or a positive number", lambda value: value is None or _is_size(value)),
    "made_of": ("an object", lambda value: isinstance(value, dict)),
    "note": ("a text", lambda value: isinstance(value, str)),
    "weights": (
        "an object with texts as 'file' and 'sha256'",
        lambda value: isinstance(value, dict) and all(isinstance(value.get(each), str) for each in ("file", "sha256")),
    ),
}
"""What each field of a card must be, and whether a value is that."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainedNetwork:
    """A trained network with all that is needed to use it.

    Attributes:
        architecture: The name of the network's architecture, which is not always the id of its captioner.
        settings: The settings of its training.
        vocabulary: Words by number.
        shape: Height and width of images given as pixels, else None.
        dimension: The length of the regions of images given as features, else None.
        made_of: What identifies the training.
        tensors: The weights by name.
        note: The note of the training data, to be printed wherever a number of the captioner stands.
    """

    architecture: Architecture
    settings: TrainingSettings
    vocabulary: Vocabulary = field(repr=False)
    shape: tuple[int, int] | None
    dimension: int | None
    made_of: Mapping[str, Any] = field(repr=False)
    tensors: Mapping[str, np.ndarray] = field(repr=False)
    note: str = ""

    def write(self, folder: Path) -> None:
        """Write the weights, then the card."""
        weights = write_tensors(folder / WEIGHTS, self.tensors)
        card = {
            "format": FORMAT,
            "captioner": self.architecture,
            "settings": self.settings.to_json(),
            "words": list(self.vocabulary.words),
            "shape": self.shape and list(self.shape),
            "dimension": self.dimension,
            "made_of": dict(self.made_of),
            "note": self.note,
            "weights": weights,
        }
        write_card(folder / CARD, card)

    @classmethod
    def read(cls, folder: Path, *, architecture: Architecture) -> "TrainedNetwork":
        """Return the captioner of a folder.

        Raises:
            BadCheckpoint: There is none, it is of another captioner or version, or it is damaged.
        """
        path = folder / CARD
        if not path.is_file():
            raise BadCheckpoint(f"{folder} has no {CARD}: train captioner {architecture!r} in it first")
        try:
            card = {"note": "", **read_json(path)}
            _check_card(card, path=path)
            if card["captioner"] != architecture:
                raise BadCheckpoint(
                    f"{folder} contains a captioner of the architecture {card['captioner']!r}, not {architecture!r}"
                )
            settings = TrainingSettings.of(card["settings"])
            tensors = read_tensors(folder / card["weights"]["file"], sha256=card["weights"]["sha256"])
        except MetricError as error:
            raise BadCheckpoint(f"{error} (train it again)") from error
        except BadCheckpoint:
            raise
        except CaptionerError as error:
            raise BadCheckpoint(f"{path}: {error} (train it again)") from error
        shape = card["shape"]
        return cls(
            architecture=architecture,
            settings=settings,
            vocabulary=Vocabulary(tuple(card["words"])),
            shape=None if shape is None else (shape[0], shape[1]),
            dimension=card["dimension"],
            made_of=card["made_of"],
            tensors=tensors,
            note=card["note"],
        )


def _check_card(card: Mapping[str, Any], *, path: Path) -> None:
    missing = _FIELDS.keys() - set(card)
    if card.get("format") != FORMAT or missing:
        raise BadCheckpoint(f"{path}: must be of the format {FORMAT!r} with all its fields: train it again")
    for name, (rule, is_valid) in _FIELDS.items():
        if not is_valid(card[name]):
            raise BadCheckpoint(f"{path}: {name!r} must be {rule}, got {repr(card[name])[:60]}: train it again")


def has_captioner(folder: Path) -> bool:
    """Return whether training in this folder is complete."""
    return (folder / CARD).is_file()
