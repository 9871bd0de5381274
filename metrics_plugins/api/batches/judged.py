"""Rows with human judgments, and the assignment of their images to folds."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.info import Input
from metrics_plugins.api.scores import Values


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRows:
    """Rows with human judgments.

    Attributes:
        batch: The captions, with their references and image keys.
        targets: `(n_rows,)`: the mean judgment of each row; higher is better.

    Raises:
        MetricError: There are no rows, the number of targets differs, or a target is not finite.
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
        """A hash of the rows and judgments that does not depend on the order of rows."""
        batch = self.batch
        references = batch.references if Input.REFERENCES in batch.available_inputs else [()] * len(batch)
        captions = batch.candidates if Input.CANDIDATE in batch.available_inputs else batch.caption_sets
        rows = zip(batch.keys, batch.image_keys, captions, references, self.targets.tolist(), strict=True)
        return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode("utf-8", "backslashreplace")).hexdigest()[:12]

    def shares_images(self, image_keys: Iterable[str]) -> bool:
        """Return whether any of these images was judged."""
        return not frozenset(self.batch.image_keys).isdisjoint(image_keys)


def assign_folds(images: Iterable[str], *, n_folds: int) -> dict[str, int]:
    """Return the fold of each image, numbered from 0, with fold sizes as equal as possible.

    Images are assigned in turn in the order of the SHA-256 of their names, so the result is fixed by the names alone.
    """
    return {image: place % n_folds for place, image in enumerate(sorted(set(images), key=digest_image))}


def digest_image(image: str) -> str:
    """Return the SHA-256 of an image's name."""
    return hashlib.sha256(image.encode("utf-8", "surrogatepass")).hexdigest()
