"""Rows that people judged, and how their images are shared out among folds."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from metrics_plugins.api.batch import Batch
from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.info import Input
from metrics_plugins.api.scores import Values


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRows:
    """Rows that people judged.

    Attributes:
        batch: Captions, with the references and the key of the image of each.
        targets: `(n_rows,)`: the mean judgment of each row; more is better.

    Raises:
        MetricError: There is no row, not one number for each, or one that is not finite.
    """

    batch: Batch
    targets: Values = field(repr=False)

    def __post_init__(self) -> None:
        if self.targets.shape != (len(self.batch),) or not len(self.batch):
            raise MetricError(f"there must be one judgment for each row, got {self.targets.shape} for {self.batch!r}")
        if not np.isfinite(self.targets).all():
            raise MetricError("judgments must be finite numbers")

    @property
    def digest(self) -> str:
        """Identifies rows and judgments, whatever the order of rows."""
        batch = self.batch
        references = batch.references if Input.REFERENCES in batch.available_inputs else [()] * len(batch)
        captions = batch.candidates if Input.CANDIDATE in batch.available_inputs else batch.caption_sets
        rows = zip(batch.keys, batch.image_keys, captions, references, self.targets.tolist(), strict=True)
        return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode("utf-8", "backslashreplace")).hexdigest()[:12]

    def shares_images(self, image_keys: Iterable[str]) -> bool:
        """Tell whether one of these images was judged."""
        return not frozenset(self.batch.image_keys).isdisjoint(image_keys)


def assign_folds(images: Iterable[str], *, n_folds: int) -> dict[str, int]:
    """Return the fold of each image, from 0: of as equal sizes as can be, and by the images' names alone.

    In the order of the SHA-256 of their names they are dealt out in turn: nobody draws, and nobody can draw again.
    """
    return {image: place % n_folds for place, image in enumerate(sorted(set(images), key=digest_image))}


def digest_image(image: str) -> str:
    """Return the SHA-256 of an image's name."""
    return hashlib.sha256(image.encode("utf-8", "surrogatepass")).hexdigest()
