"""The trained head of `critic-reference`, and its files `head.json` and `head.safetensors`."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.critics.artifacts import read_card, read_tensors, write_card, write_tensors
from metrics_plugins.metrics.critics.reference.settings import PARTS, CriticReferenceSettings
from metrics_plugins.metrics.critics.reference.spaces import Space
from metrics_plugins.metrics.critics.reference.vocabulary import Vocabulary

FORMAT: Final = "accordance critic-reference 4"
BUNDLED: Final = Path(__file__).parent / "head"
_CARD, _TENSORS = "head.json", "head.safetensors"
_FIELDS: Final = frozenset({"settings", "encoder", "spreads", "tensors", "made_of"})


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A trained head.

    Attributes:
        settings: The settings of the training and the weights of the parts.
        encoder: The digest of the encoder that it was trained for.
        sentences, tokens: The learned spaces.
        vocabulary: Expected support and rarity of tokens.
        spreads: `(7,)`: standard deviation of each part over the training pairs, by which parts are divided.
        learned: Sorted 64-bit digests of the training captions.
        made_of: Further provenance: digest and number of the captions, seed, versions.
    """

    settings: CriticReferenceSettings
    encoder: str
    sentences: Space
    tokens: Space
    vocabulary: Vocabulary
    spreads: npt.NDArray[np.float64]
    learned: npt.NDArray[np.uint64] = field(repr=False)
    made_of: Mapping[str, Any]

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """`(7,)`: the weights of the parts in the score; their absolute values sum to 1."""
        weights = np.array(self.settings.weights) / self.spreads
        shares: npt.NDArray[np.float64] = weights / np.abs(weights).sum()
        return shares

    @property
    def digest(self) -> str:
        """A hash of everything that a score depends on."""
        digest = hashlib.sha256(f"{FORMAT} {self.encoder} {self.shares.tolist()}".encode())
        for name, tensor in sorted(self._list_tensors().items()):
            digest.update(name.encode() + tensor.tobytes())
        return digest.hexdigest()[:12]

    def _list_tensors(self) -> dict[str, np.ndarray]:
        return {
            "sentences.center": self.sentences.center,
            "sentences.directions": self.sentences.directions,
            "tokens.center": self.tokens.center,
            "tokens.directions": self.tokens.directions,
            "vocabulary.ids": self.vocabulary.ids,
            "vocabulary.expected": self.vocabulary.expected,
            "vocabulary.rarity": self.vocabulary.rarity,
        }

    def write(self, folder: Path) -> None:
        """Write both files, the card last, so that a folder with a card is complete."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {**self._list_tensors(), "learned": self.learned.view(np.int64)}
        card = {
            "format": FORMAT,
            "settings": self.settings.to_json(),
            "encoder": self.encoder,
            "spreads": dict(zip(PARTS, self.spreads.tolist(), strict=True)),
            "tensors": write_tensors(folder / _TENSORS, tensors),
            "made_of": dict(self.made_of),
        }
        write_card(folder / _CARD, card)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read files written by `write`.

        Raises:
            MissingResource: The folder does not exist or contains no head.
            MetricError: The files have another version or are damaged; the message names the file.
        """
        card = read_card(folder / _CARD, what="head", format_name=FORMAT, fields=_FIELDS)
        tensors = read_tensors(folder / card["tensors"]["file"], sha256=card["tensors"]["sha256"])
        return cls(
            settings=CriticReferenceSettings.read(card["settings"]),
            encoder=card["encoder"],
            sentences=Space(tensors["sentences.center"], tensors["sentences.directions"]),
            tokens=Space(tensors["tokens.center"], tensors["tokens.directions"]),
            vocabulary=Vocabulary(*(tensors[f"vocabulary.{name}"] for name in ("ids", "expected", "rarity"))),
            spreads=np.array([card["spreads"][part] for part in PARTS]),
            learned=tensors["learned"].view(np.uint64),
            made_of=card["made_of"],
        )


def has_head(folder: Path) -> bool:
    """Return whether a folder contains a head."""
    return (folder / _CARD).is_file()


def digest_captions(captions: Sequence[str]) -> npt.NDArray[np.uint64]:
    """Return `(n,)`: 64-bit hashes of captions, ignoring case and spaces."""
    plain = (" ".join(caption.lower().split()) for caption in captions)
    digests = (hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in plain)
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
