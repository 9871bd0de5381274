"""Small tables of captions, as Parquet files."""

from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

WORDS = (
    "a",
    "dog",
    "cat",
    "runs",
    "sleeps",
    "on",
    "the",
    "red",
    "mat",
    "in",
    "grass",
    "two",
    "people",
    "ride",
    "bikes",
)
N_IMAGES = 120
PER_IMAGE = 3


def make_caption(seed: int) -> str:
    """A caption of 3 to 9 words, so that captions share many n-grams."""
    start, length, step = seed % len(WORDS), 3 + seed % 7, 1 + seed % 4
    return " ".join(islice(cycle(WORDS[::step]), start, start + length)) + (" ." if seed % 3 else "")


def list_candidates() -> dict[str, list]:
    """Candidates of `N_IMAGES` images, `PER_IMAGE` of each, whose images are apart from each other."""
    rows = [(image, make_caption(31 * image + 7 * number)) for number in range(PER_IMAGE) for image in range(N_IMAGES)]
    return {
        "image_id": [image for image, _ in rows],
        "caption": [caption for _, caption in rows],
        "system": [f"model-{row // N_IMAGES}" for row in range(len(rows))],
    }


def list_references() -> dict[str, list]:
    """Two or three references of each image and of others, not sorted by image."""
    rows = [
        (image, make_caption(13 * image + 5 * number))
        for number in range(3)
        for image in range(N_IMAGES + 9)
        if number < 2 or image % 2
    ]
    return {"image_id": [image for image, _ in rows], "caption": [caption for _, caption in rows]}


def write_table(path: Path, columns: Mapping[str, Sequence], *, rows_per_group: int = 50) -> Path:
    """Write a Parquet file, whose folder is made if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(dict(columns)), path, row_group_size=rows_per_group)
    return path


def cut_columns(columns: Mapping[str, Sequence], start: int, stop: int) -> dict[str, Sequence]:
    """Return some rows."""
    return {name: values[start:stop] for name, values in columns.items()}


def write_inputs(folder: Path) -> tuple[Path, Path]:
    """Write candidates as a folder of two files and references as one file; return both."""
    candidates, n_first = list_candidates(), 200
    write_table(folder / "candidates" / "a.parquet", cut_columns(candidates, 0, n_first))
    write_table(folder / "candidates" / "b.parquet", cut_columns(candidates, n_first, len(candidates["caption"])))
    return folder / "candidates", write_table(folder / "references.parquet", list_references())
