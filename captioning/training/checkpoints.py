"""Checkpoints, from which an interrupted training resumes and, on the CPU, ends with the same bytes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from captioning.api.errors import BadCheckpoint
from metrics_plugins.api.errors import MetricError
from metrics_plugins.metrics.critics.artifacts import (
    read_json,
    read_tensors,
    remove_checkpoint_tensors,
    write_card,
    write_tensors,
)

FORMAT: Final = "accordance captioner checkpoint 1"
_CARD: Final = "checkpoint.json"
_FIELDS: Final = frozenset({"identity", "phase", "step", "best_step", "best_value", "points", "tensors"})


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The state of a training after a step.

    Attributes:
        phase: The number of the phase, from 0.
        step: The number of completed steps of the phase.
        best_step: The step of the phase with the best validation; 0 for its beginning, or if there was none.
        best_value: The value of that validation, of which more is better; -inf if there was none.
        points: All points of the curve so far.
        tensors: By name `network.*`, `best.*`, and Adam's `mean.*` and `square.*`; of an evaluator `evaluator.*`,
            `evaluator-mean.*` and `evaluator-square.*`.
    """

    phase: int
    step: int
    best_step: int
    best_value: float
    points: tuple[Mapping[str, Any], ...] = field(repr=False)
    tensors: Mapping[str, np.ndarray] = field(repr=False)

    def write(self, folder: Path, identity: Mapping[str, Any]) -> None:
        """Write the tensors, then the card that refers to them, then remove tensors of earlier steps."""
        tensors = write_tensors(folder / f"checkpoint-{self.phase}-{self.step}.safetensors", self.tensors)
        card = {
            "format": FORMAT,
            "identity": dict(identity),
            "phase": self.phase,
            "step": self.step,
            "best_step": self.best_step,
            "best_value": self.best_value if np.isfinite(self.best_value) else None,
            "points": list(self.points),
            "tensors": tensors,
        }
        write_card(folder / _CARD, card)
        remove_checkpoint_tensors(folder, kept=tensors["file"])


def read_checkpoint(folder: Path, identity: Mapping[str, Any]) -> Checkpoint | None:
    """Return the checkpoint of a folder, None if there is none.

    Raises:
        BadCheckpoint: It belongs to another training, and the message says in what it differs; or it is damaged.
    """
    path = folder / _CARD
    if not path.exists():
        return None
    try:
        card = read_json(path)
        missing = _FIELDS - set(card)
        if card.get("format") != FORMAT or missing:
            raise BadCheckpoint(
                f"{path}: must be of the format {FORMAT!r} with all its fields; remove the checkpoint to begin again"
            )
        require_same(card["identity"], identity, folder=folder)
        tensors = read_tensors(folder / card["tensors"]["file"], sha256=card["tensors"]["sha256"])
    except MetricError as error:
        raise BadCheckpoint(f"{error}; remove {path.name} to begin again") from error
    best_value = card["best_value"]
    return Checkpoint(
        phase=card["phase"],
        step=card["step"],
        best_step=card["best_step"],
        best_value=-np.inf if best_value is None else best_value,
        points=tuple(card["points"]),
        tensors=tensors,
    )


def remove_checkpoint(folder: Path) -> None:
    """Remove the card, then the tensors."""
    (folder / _CARD).unlink(missing_ok=True)
    remove_checkpoint_tensors(folder)


def require_same(found: Mapping[str, Any], wanted: Mapping[str, Any], *, folder: Path) -> None:
    """Check that a folder belongs to the training that is asked for.

    Raises:
        BadCheckpoint: It does not; the message names what differs, with both values.
    """
    for name in sorted({*found, *wanted}):
        old, new = found.get(name), wanted.get(name)
        if old == new:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            name = next(each for each in sorted({*old, *new}) if old.get(each) != new.get(each))
            old, new = old.get(name), new.get(name)
        raise BadCheckpoint(
            f"{folder} contains another training: its {name} is {old!r}, not {new!r}; train in another folder"
        )
