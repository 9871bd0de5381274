"""The trained state of a critic, and its files `critic.json` and `weights.safetensors`."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from metrics_plugins.metrics.critics.artifacts import Tensors, read_card, read_tensors, write_card, write_tensors
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.text.vocabulary import Vocabulary

FORMAT: Final = "accordance critic-lstm 1"
_CARD: Final = "critic.json"
_TENSORS: Final = "weights.safetensors"
_FIELDS: Final = frozenset({"settings", "made_of", "weights", "vocabulary", "images"})


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A trained critic.

    Attributes:
        settings: The settings of the network and its training.
        vocabulary: The known words.
        tensors: The network's weights by name, float32.
        image_ids: The images whose captions were used for training; these are not scored.
        made_of: Further provenance: digest of the captions, seed, epochs, versions.
    """

    settings: CriticSettings
    vocabulary: Vocabulary
    tensors: Tensors = field(repr=False)
    image_ids: frozenset[str] = field(repr=False)
    made_of: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """A hash of weights, vocabulary and settings, on which scores depend."""
        digest = hashlib.sha256(self.settings.digest.encode() + repr(self.vocabulary.words).encode())
        for name in sorted(self.tensors):
            digest.update(name.encode() + np.ascontiguousarray(self.tensors[name]).tobytes())
        return digest.hexdigest()[:12]

    def write(self, folder: Path) -> None:
        """Write both files, the card last, so that a folder with a card is complete."""
        card = {
            "format": FORMAT,
            "settings": asdict(self.settings),
            "made_of": dict(self.made_of),
            "weights": write_tensors(folder / _TENSORS, self.tensors),
            "vocabulary": list(self.vocabulary.words),
            "images": sorted(self.image_ids),
        }
        write_card(folder / _CARD, card)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read files written by `write`.

        Raises:
            MissingResource: The folder does not exist or contains no critic.
            MetricError: The files have another version or are damaged; the message names the file.
        """
        card = read_card(folder / _CARD, what="critic", format_name=FORMAT, fields=_FIELDS)
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
    """Return whether a folder contains a trained critic."""
    return (folder / _CARD).is_file()
