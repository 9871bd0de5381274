"""The fitted state of `critic-judgments`, and its file `judgments.json`."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.critics.artifacts import read_card, write_card
from metrics_plugins.metrics.critics.judged.ridge import Ridge
from metrics_plugins.metrics.critics.judged.settings import CriticJudgmentsSettings

FORMAT: Final = "accordance critic-judgments 1"
_CARD: Final = "judgments.json"
_FIELDS: Final = frozenset({"settings", "read", "ridge", "images", "keys", "made_of"})


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A fitted critic.

    Attributes:
        settings: The settings of the fit.
        read: The fields of the signature on which the features depend besides the settings.
        ridge: The regression from features to scores.
        images: The images whose judgments were used for fitting; these are not scored.
        keys: The keys of the rows used for fitting.
        made_of: Further provenance: digest and number of the judgments, versions.
    """

    settings: CriticJudgmentsSettings
    read: Mapping[str, SignatureValue]
    ridge: Ridge
    images: frozenset[str] = field(repr=False)
    keys: frozenset[str] = field(repr=False)
    made_of: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """A hash of everything that a score depends on."""
        content = json.dumps([self.settings.to_json(), dict(self.read), _ridge_to_json(self.ridge)], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def write(self, folder: Path) -> None:
        """Write the file atomically."""
        folder.mkdir(parents=True, exist_ok=True)
        card = {
            "format": FORMAT,
            "settings": self.settings.to_json(),
            "read": dict(self.read),
            "ridge": _ridge_to_json(self.ridge),
            "made_of": dict(self.made_of),
            "images": sorted(self.images),
            "keys": sorted(self.keys),
        }
        write_card(folder / _CARD, card)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a file written by `write`.

        Raises:
            MissingResource: The folder does not exist or contains no fitted critic.
            MetricError: The file has another version or is damaged; the message names it.
        """
        card = read_card(folder / _CARD, what="critic of judgments", format_name=FORMAT, fields=_FIELDS)
        return cls(
            settings=CriticJudgmentsSettings.read(card["settings"]),
            read=card["read"],
            ridge=_read_ridge(card["ridge"], path=folder / _CARD),
            images=frozenset(card["images"]),
            keys=frozenset(card["keys"]),
            made_of=card["made_of"],
        )


def has_learned(folder: Path) -> bool:
    """Return whether a folder contains a fitted critic."""
    return (folder / _CARD).is_file()


def _ridge_to_json(ridge: Ridge) -> dict[str, Any]:
    return {
        "degree": ridge.degree,
        "alpha": ridge.alpha,
        "intercept": ridge.intercept,
        **{name: getattr(ridge, name).tolist() for name in ("center", "scale", "coefficients")},
    }


def _read_ridge(data: Any, *, path: Path) -> Ridge:
    try:
        columns = {name: np.array(data[name], dtype=np.float64) for name in ("center", "scale", "coefficients")}
        return Ridge(
            degree=int(data["degree"]), alpha=float(data["alpha"]), intercept=float(data["intercept"]), **columns
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MetricError(f"{path}: is damaged: field 'ridge': {error}") from error
