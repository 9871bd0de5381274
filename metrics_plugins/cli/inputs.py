"""Caption files as batches, with a row per candidate or a row per image and caption set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.api.worlds import CaptionWorld
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.readers import CaptionFile, read_captions


@dataclass(frozen=True, slots=True)
class Captions:
    """The captions to score.

    Attributes:
        image_ids: `(n_candidates,)`: the image of each candidate, in the order of the file.
        candidates: `(n_candidates,)`.
        references: The references of each image with a candidate, in the order of their file; None if none are given.
        worlds: The world of each image with a candidate; None if none are given.
        system: The name of the file of candidates without its ending.
    """

    image_ids: tuple[str, ...]
    candidates: tuple[str, ...]
    references: Mapping[str, tuple[str, ...]] | None
    worlds: Mapping[str, CaptionWorld] | None = None
    system: str = ""

    def make_segments(self) -> Batch:
        """Return a batch with one row per candidate, whose key is the image id."""
        return Batch.make(
            self.image_ids,
            candidates=self.candidates,
            references=self._list_references(self.image_ids),
            worlds=None if self.worlds is None else [self.worlds[image_id] for image_id in self.image_ids],
        )

    def make_sets(self) -> Batch:
        """Return a batch with one row per image, in order of first appearance; its candidates are the caption set."""
        sets: dict[str, list[str]] = {}
        for image_id, candidate in zip(self.image_ids, self.candidates, strict=True):
            sets.setdefault(image_id, []).append(candidate)
        keys = tuple(sets)
        return Batch.make(keys, caption_sets=sets.values(), references=self._list_references(keys))

    @property
    def first_rows(self) -> list[int]:
        """The row of each image's first candidate."""
        rows: dict[str, int] = {}
        for row, image_id in enumerate(self.image_ids):
            rows.setdefault(image_id, row)
        return list(rows.values())

    def _list_references(self, keys: tuple[str, ...]) -> list[tuple[str, ...]] | None:
        return None if self.references is None else [self.references[key] for key in keys]


def read_inputs(
    candidates: Path, *, references: Path | None, worlds: Mapping[str, CaptionWorld] | None = None
) -> Captions:
    """Read candidates and the references of their images; references and worlds of other images are not used.

    Raises:
        InputError: A file or record is invalid, or the image of a candidate has no references or no world.
    """
    candidate_file = read_captions(candidates)
    reference_file = read_captions(references) if references else None
    for record in candidate_file.records:
        if worlds is not None and record.image_id not in worlds:
            reason = f"image {record.image_id} has no world (there are {len(worlds)})"
            raise candidate_file.refuse(record, field="image_id", reason=reason)
    return Captions(
        image_ids=tuple(record.image_id for record in candidate_file.records),
        candidates=tuple(record.caption for record in candidate_file.records),
        references=_match_references(candidate_file, reference_file) if reference_file else None,
        worlds=worlds,
        system=name_system(candidates),
    )


def draw_images(image_ids: Sequence[str], *, n: int, seed: int) -> list[str]:
    """Return images drawn for `--sample`, in their order.

    Raises:
        UsageError: There are fewer images.
    """
    if n > len(image_ids):
        raise UsageError(f"--sample must be at most {len(image_ids)}, the images there are, got {n}")
    # A separate generator, so that the sample of images depends only on the seed.
    chosen = np.sort(np.random.default_rng(seed).choice(len(image_ids), size=n, replace=False))
    return [image_ids[place] for place in chosen.tolist()]


def name_system(path: Path) -> str:
    """Return the name of the system whose captions are in a file: that of the file without its ending."""
    return path.name.split(".")[0]


def _match_references(candidates: CaptionFile, references: CaptionFile) -> dict[str, tuple[str, ...]]:
    matched: dict[str, list[str]] = {record.image_id: [] for record in candidates.records}
    for record in references.records:
        if record.image_id in matched:
            matched[record.image_id].append(record.caption)
    for record in candidates.records:
        if not matched[record.image_id]:
            known = references.image_ids is None or record.image_id in references.image_ids
            reason = f"image {record.image_id} has no references in {references.path}"
            if not known:
                reason = f"image {record.image_id} is unknown: {references.path} does not list it"
            raise candidates.refuse(record, field="image_id", reason=reason)
    return {image_id: tuple(captions) for image_id, captions in matched.items()}
