"""The sample rows that the checks score, as plain columns that can be changed and made into batches."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.info import Input

TEXT_INPUTS = frozenset({Input.CANDIDATE, Input.REFERENCES, Input.CAPTION_SET})

_ARGUMENTS = {
    Input.CANDIDATE: "candidates",
    Input.REFERENCES: "references",
    Input.CAPTION_SET: "caption_sets",
    Input.IMAGE: "images",
    Input.IMAGE_KEY: "image_keys",
    Input.WORLD: "worlds",
}
_SCENES = (
    ("a brown dog", "chases a red ball", "in deep snow"),
    ("two children", "are flying a yellow kite", "on the beach"),
    ("a woman in a blue dress", "reads a newspaper", "at a small table"),
    ("an old man", "is feeding pigeons", "in front of a church"),
    ("a black and white cat", "sleeps", "on top of a laptop"),
    ("three cyclists", "wait for the light to change", "at a crossing"),
    ("a chef", "cuts vegetables", "in a restaurant's kitchen"),
    ("a small boat", "lies at anchor", "near the rocky shore"),
    ("a brown dog", "sleeps", "in front of a church"),
    ("several people", "are watching a football match", "under umbrellas"),
)
_PHRASINGS = (
    "{who} {does} {where}",
    "{where}, {who} {does}",
    "A photo of {who} {where}.",
    "There is {who}; it looks like {who} {does}",
    "{who} {where}",
)


@dataclass(frozen=True, slots=True)
class SampleWorld:
    """A world of the sample rows: a caption is true if it has only words of the scene, and grammatical if it has any.

    Attributes:
        words: The words of the scene.
    """

    words: frozenset[str]

    def evaluate_caption(self, caption: str) -> int | None:
        """Return 1 if all words belong to the scene, -1 if not, and None for a caption without words."""
        words = set(caption.lower().split())
        return (1 if words <= self.words else -1) if words else None

    def find_construction(self, caption: str) -> str | None:
        """Return the number of words, which does not depend on the world; None for a caption without words."""
        n_words = len(caption.split())
        return f"{n_words} words" if n_words else None


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows as plain columns.

    Attributes:
        keys: One per row.
        columns: `(n_rows,)` values by input, as `Batch.make` takes them.
    """

    keys: tuple[str, ...]
    columns: Mapping[Input, tuple[Any, ...]]

    @classmethod
    def from_batch(cls, batch: Batch) -> "Sample":
        """Return the rows of a batch."""
        columns = {name: tuple(getattr(batch, _ARGUMENTS[name])) for name in batch.available_inputs}
        return cls(keys=batch.keys, columns=columns)

    def __len__(self) -> int:
        return len(self.keys)

    def make_batch(self) -> Batch:
        """Return a new batch with no derived features."""
        columns: dict[str, Any] = {_ARGUMENTS[name]: values for name, values in self.columns.items()}
        return Batch.make(self.keys, **columns)

    def take(self, rows: Sequence[int]) -> "Sample":
        """Return the selected rows in the given order."""
        columns = {name: tuple(values[row] for row in rows) for name, values in self.columns.items()}
        return Sample(keys=tuple(self.keys[row] for row in rows), columns=columns)

    def replace(self, columns: Mapping[Input, Sequence[Any]]) -> "Sample":
        """Return the same rows with some columns replaced."""
        changed = {name: tuple(values) for name, values in columns.items()}
        return Sample(keys=self.keys, columns={**self.columns, **changed})

    def replace_texts(self, texts: Sequence[str], *, inputs: frozenset[Input]) -> "Sample":
        """Return one row per text, with the text in each of the given columns; other columns repeat existing values."""
        rows = self.take([row % len(self) for row in range(len(texts))])
        values: dict[Input, Sequence[Any]] = {
            Input.CANDIDATE: texts,
            Input.REFERENCES: [(text, "a dog runs on the grass") for text in texts],
            Input.CAPTION_SET: [(text, "a dog runs on the grass", text) for text in texts],
        }
        numbered = Sample(keys=tuple(f"{key}-{row}" for row, key in enumerate(rows.keys)), columns=rows.columns)
        return numbered.replace({name: values[name] for name in TEXT_INPUTS & inputs})


@contextmanager
def open_sample(inputs: frozenset[Input]) -> Iterator[Sample]:
    """Yield the built-in sample rows, with small image files if images are requested; the files are removed on exit."""
    sample = make_captions()
    if Input.IMAGE not in inputs:
        yield sample
        return
    with TemporaryDirectory() as folder:
        yield sample.replace({Input.IMAGE: _draw_images(Path(folder), n_images=len(sample))})


def make_captions() -> Sample:
    """Return rows with one to four references and caption sets of two to five captions, some of them repeated."""
    phrased = [
        [phrasing.format(who=who, does=does, where=where) for phrasing in _PHRASINGS] for who, does, where in _SCENES
    ]
    return Sample(
        keys=tuple(f"image-{row}" for row in range(len(phrased))),
        columns={
            Input.IMAGE_KEY: tuple(f"picture-{row}" for row in range(len(phrased))),
            Input.CANDIDATE: tuple(captions[row % 3] for row, captions in enumerate(phrased)),
            Input.REFERENCES: tuple(tuple(captions[-1 - row % 4 :]) for row, captions in enumerate(phrased)),
            Input.CAPTION_SET: tuple(
                (*captions[: 1 + row % 4], captions[row % 2]) for row, captions in enumerate(phrased)
            ),
            Input.WORLD: tuple(SampleWorld(frozenset(" ".join(scene).split())) for scene in _SCENES),
        },
    )


def _draw_images(folder: Path, *, n_images: int) -> list[Path]:
    from PIL import Image

    rng = np.random.default_rng(0)
    paths = [folder / f"{number}.png" for number in range(n_images)]
    for path in paths:
        Image.fromarray(rng.integers(0, 256, size=(32, 32, 3), dtype=np.uint8)).save(path)
    return paths
