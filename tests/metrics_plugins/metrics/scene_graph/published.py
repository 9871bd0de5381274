"""The rows of Flickr8k and PASCAL-50S with their official SPICE 1.0 scores."""

import csv
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from metrics_plugins.api import Batch
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

Row = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class PublishedRows:
    """Tokenised candidates with references, and the official scores and counts of the same rows.

    Attributes:
        keys: One per row.
        rows: Candidate and references.
        official: The lines of the table of official scores.
    """

    keys: tuple[str, ...]
    rows: tuple[Row, ...]
    official: tuple[dict[str, str], ...]

    def make_batch(self) -> Batch:
        return Batch.make(self.keys, candidates=[row[0] for row in self.rows], references=[row[1] for row in self.rows])

    @cached_property
    def scores(self) -> np.ndarray:
        return np.array([float(line["spice"]) for line in self.official])

    @cached_property
    def counts(self) -> np.ndarray:
        """`(n_rows, 3, 7)`: matched, candidate and reference tuples of each kind."""
        names = [kind.name.lower() for kind in TupleKind]
        tp, fp, fn = (
            np.array([[int(line[f"{name}_{part}"]) for name in names] for line in self.official])
            for part in ("tp", "fp", "fn")
        )
        return np.stack([tp, tp + fp, tp + fn], axis=1)


def read_flickr8k_expert(data: Path) -> PublishedRows:
    captions = _read_flickr8k_captions(data)
    lines = (data / "flickr8k" / "ExpertAnnotations.txt").read_text().splitlines()
    pairs = [tuple(line.split("\t")[:2]) for line in lines]
    rows = [(captions[key], tuple(captions[f"{image}#{number}"] for number in range(5))) for image, key in pairs]
    return _join(
        data, "flickr8k_expert", ["|".join(pair) for pair in pairs], _tokenize(rows), columns=("image", "cand")
    )


def read_flickr8k_cf(data: Path) -> PublishedRows:
    """A caption that is a candidate for the image is none of its references."""
    captions = _read_flickr8k_captions(data)
    with gzip.open(data / "flickr8k" / "CrowdFlowerAnnotations.txt.gz", "rt") as file:
        pairs = [tuple(line.split("\t")[:2]) for line in file]
    candidates = set(pairs)
    references = {
        image: tuple(
            captions[f"{image}#{number}"] for number in range(5) if (image, f"{image}#{number}") not in candidates
        )
        for image, _ in pairs
    }
    rows = [(captions[key], references[image]) for image, key in pairs]
    return _join(data, "flickr8k_cf", ["|".join(pair) for pair in pairs], _tokenize(rows), columns=("image", "cand"))


def read_pascal_50s(data: Path) -> PublishedRows:
    """The 5 references that are shipped with the labels."""
    with gzip.open(data / "pascal50s" / "pascal_50s.json.gz", "rt") as file:
        groups = json.load(file)
    keys, rows = [], []
    for category, pairs in groups.items():
        for number, pair in enumerate(pairs):
            for which in (0, 1):
                keys.append(f"{category}|{number}|{which}")
                rows.append((pair["captions"][which], tuple(pair["references"])))
    return _join(data, "pascal50s", keys, _tokenize(rows), columns=("cat", "row", "which"))


def read_pascal_with_50_references(data: Path) -> PublishedRows:
    folder = data / "pascal50s"
    images = loadmat(folder / "pascal50S.mat", squeeze_me=True)["refs"]
    references = {str(image["image"]): tuple(map(str, image["sent"])) for image in images}
    pairs = loadmat(folder / "pair_pascal.mat", squeeze_me=True)["new_input"]
    keys, rows = [], []
    for number, pair in enumerate(pairs):
        for which in (0, 1):
            keys.append(f"{number}|{which}")
            rows.append((str(pair[f"sent{which + 1}"]), references[str(pair["name"])]))
    return _join(data, "pascal50s_50_references", keys, _tokenize(rows), columns=("pair", "which"))


def write_tuples(golden: Path, path: Path) -> Path:
    """Write the official tuples of all captions in one file."""
    # Packed files one after the other are one packed file.
    parts = ("caption_tuples.jsonl.gz", "caption_tuples_pascal50s.jsonl.gz")
    path.write_bytes(b"".join((golden / "spice" / part).read_bytes() for part in parts))
    return path


def _read_flickr8k_captions(data: Path) -> dict[str, str]:
    with gzip.open(data / "flickr8k" / "Flickr8k.token.txt.gz", "rt") as file:
        return dict(line.rstrip("\n").split("\t") for line in file)


def _tokenize(rows: Sequence[Row]) -> list[Row]:
    texts = list({text for candidate, references in rows for text in (candidate, *references)})
    tokens = dict(zip(texts, tokenize_captions(texts), strict=True))
    return [(tokens[candidate], tuple(tokens[text] for text in references)) for candidate, references in rows]


def _join(
    data: Path, name: str, keys: Sequence[str], rows: Sequence[Row], *, columns: tuple[str, ...]
) -> PublishedRows:
    with gzip.open(data.parent / "golden" / "spice" / f"{name}.csv.gz", "rt", newline="") as file:
        official = {"|".join(line[column] for column in columns): line for line in csv.DictReader(file)}
    assert set(keys) == set(official)
    return PublishedRows(tuple(keys), tuple(rows), tuple(official[key] for key in keys))
