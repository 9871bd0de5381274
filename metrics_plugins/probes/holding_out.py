"""Held-out references: one human caption of each image to be scored against the other references of the image."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics_plugins.api import Batch
from metrics_plugins.probes.errors import ProbeError

MIN_REFERENCES = 2
"""An image with fewer references has none left to score a human caption against."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Human captions and the references to score them against.

    Attributes:
        position: The position of the held-out reference of an image, from 0.
        image_ids: `(n_images,)`, in the order given.
        captions: `(n_images,)`: the held-out reference.
        references: `(n_images,)`: the other references in the order given, at least one each.
        n_dropped: The number of images left out, with one reference only or no reference at this position.
    """

    position: int
    image_ids: tuple[str, ...]
    captions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    n_dropped: int

    def make_batch(self, captions: Sequence[str] | None = None) -> Batch:
        """Return a batch with a row for each image, with the given captions or by default the human ones."""
        return Batch.make(
            self.image_ids, candidates=self.captions if captions is None else captions, references=self.references
        )


def hold_out(references: Mapping[str, Sequence[str]], *, position: int = 0) -> HeldOut:
    """Take one reference of each image as its human caption.

    Args:
        references: The references of each image, by its id.
        position: The position of the reference to take, from 0.

    Raises:
        ProbeError: The position is negative, or no image has a reference there and at least one other.
    """
    if position < 0:
        raise ProbeError(f"the position of a reference must be 0 or more, got {position}")
    least = max(MIN_REFERENCES, position + 1)
    kept = {image_id: tuple(texts) for image_id, texts in references.items() if len(texts) >= least}
    if not kept:
        most = max(map(len, references.values()), default=0)
        raise ProbeError(
            f"an image must have at least {least} references for reference {position} to be scored against others, "
            f"but none of {len(references)} has more than {most}"
        )
    return HeldOut(
        position=position,
        image_ids=tuple(kept),
        captions=tuple(texts[position] for texts in kept.values()),
        references=tuple(texts[:position] + texts[position + 1 :] for texts in kept.values()),
        n_dropped=len(references) - len(kept),
    )
