"""What a critic has learned, and the folder that keeps it: `critic.json` and `weights.safetensors`."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from metrics_plugins.metrics.critics.artifacts import Tensors, read_card, read_tensors, write_card, write_tensors
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.metrics.critics.lstm.model.vocabulary import Vocabulary

FORMAT: Final = "accordance critic-lstm 1"
_CARD: Final = "critic.json"
_TENSORS: Final = "weights.safetensors"
_FIELDS: Final = frozenset({"settings", "made_of", "weights", "vocabulary", "images"})


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
        """Read what `write` wrote.

        Raises:
            MissingResource: There is no such folder, or no critic in it.
            MetricError: It is of another version, or damaged; the message names the file.
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
    """Tell whether a folder holds a critic that has learned."""
    return (folder / _CARD).is_file()
