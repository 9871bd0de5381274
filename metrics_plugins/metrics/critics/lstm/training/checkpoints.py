"""Checkpoints after each epoch, from which an interrupted training resumes and ends with the same weights.

Random draws in an epoch depend only on the seed and the epoch number, so no other random state is saved.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.artifacts import (
    read_json,
    read_tensors,
    remove_checkpoint_tensors,
    write_card,
    write_tensors,
)

FORMAT: Final = "accordance critic-lstm checkpoint 1"
_CARD: Final = "checkpoint.json"
_FIELDS: Final = frozenset({"epoch", "best_epoch", "best_accuracy", "tensors"})


@dataclass(frozen=True, slots=True)
class CheckpointIdentity:
    """The settings, the captions and the seed, which must be unchanged to resume training."""

    settings: str
    captions: str
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The state after an epoch.

    Attributes:
        epoch: Number of completed epochs.
        best_epoch: The epoch with the best validation accuracy, 0 if none was measured.
        best_accuracy: The validation accuracy of that epoch.
        tensors: By name `network.*`, `mean.*`, `square.*` (Adam's moments) and `best.*`.
    """

    epoch: int
    best_epoch: int
    best_accuracy: float
    tensors: Mapping[str, np.ndarray] = field(repr=False)

    def write(self, folder: Path, identity: CheckpointIdentity) -> None:
        """Write the tensors, then the card that refers to them, then remove tensors of earlier epochs."""
        tensors = write_tensors(folder / f"checkpoint-{self.epoch}.safetensors", self.tensors)
        card = {
            "format": FORMAT,
            "identity": asdict(identity),
            "epoch": self.epoch,
            "best_epoch": self.best_epoch,
            "best_accuracy": self.best_accuracy,
            "tensors": tensors,
        }
        write_card(folder / _CARD, card)
        remove_checkpoint_tensors(folder, kept=tensors["file"])


def read_checkpoint(folder: Path, identity: CheckpointIdentity) -> Checkpoint | None:
    """Return the checkpoint in a folder, None if there is none.

    Raises:
        MetricError: It has other settings, captions, seed or version, or is damaged; the message says which.
    """
    path = folder / _CARD
    if not path.exists():
        return None
    card = read_json(path)
    if card.get("format") != FORMAT:
        raise MetricError(f"{path}: must be of the format {FORMAT!r}, got {card.get('format')!r}: {_advise(folder)}")
    _check_identity(path, card, identity)
    missing = _FIELDS - set(card)
    if missing:
        raise MetricError(f"{path}: is damaged: it lacks {', '.join(sorted(missing))}: remove it to begin again")
    return Checkpoint(
        epoch=card["epoch"],
        best_epoch=card["best_epoch"],
        best_accuracy=card["best_accuracy"],
        tensors=read_tensors(folder / card["tensors"]["file"], sha256=card["tensors"]["sha256"]),
    )


def remove_checkpoint(folder: Path) -> None:
    """Remove the checkpoint files after training."""
    (folder / _CARD).unlink(missing_ok=True)
    remove_checkpoint_tensors(folder)


def _check_identity(path: Path, card: Mapping[str, Any], identity: CheckpointIdentity) -> None:
    for name, wanted in asdict(identity).items():
        found = card.get("identity", {}).get(name)
        if found != wanted:
            raise MetricError(
                f"{path}: was started with other {name} ({found!r}, not {wanted!r}): {_advise(path.parent)}"
            )


def _advise(folder: Path) -> str:
    return f"go on with the same ones, or fit into another folder than {folder}"
