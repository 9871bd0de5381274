"""Tables with the number of images of a corpus in which each concept is mentioned, for SPICE-U."""

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from execution.whole_files import write_whole
from metrics_plugins.metrics.scene_graph.graphs.naming import Name
from metrics_plugins.metrics.scene_graph.steady_files import SteadyFile
from metrics_plugins.readers import InputError

_FORMAT = "accordance concepts 1"


@dataclass(frozen=True, slots=True, eq=False)
class ConceptTable:
    """The concepts of a corpus.

    Attributes:
        n_images: The number of images counted.
        counts: The number of images in which each concept is mentioned; keys are the parts of its name joined by
            spaces.
    """

    n_images: int
    counts: Mapping[str, int] = field(repr=False)

    def measure_uniqueness(self, name: Name) -> float:
        """Return the share of images without the concept, in [0, 1]; 1 for an unknown concept."""
        count = self.counts.get(" ".join(name))
        return 1.0 if count is None else 1.0 - count / self.n_images

    def write(self, path: Path, *, made_of: Mapping[str, object]) -> None:
        """Write a compressed JSON file (`.json.gz`), the most frequent concepts first.

        Args:
            path: Where to write.
            made_of: Identifies the tokeniser and the parser; stored in the file for information.
        """
        content = {
            "format": _FORMAT,
            "n_images": self.n_images,
            "made_of": made_of,
            "counts": dict(sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))),
        }
        # ASCII, because a lone surrogate in a caption cannot be encoded in UTF-8.
        data = json.dumps(content, separators=(",", ":")).encode("ascii")
        write_whole(path, gzip.compress(data, mtime=0))


class ConceptSource(Protocol):
    """Loads a table of concepts from memory or a file."""

    def load(self) -> ConceptTable: ...


@dataclass(frozen=True, slots=True, eq=False)
class FittedConcepts:
    """A table counted in this process."""

    table: ConceptTable

    def load(self) -> ConceptTable:
        return self.table


@dataclass(frozen=True, slots=True)
class ConceptFile(SteadyFile):
    """A table in a file in the format of `ConceptTable.write`."""

    def load(self) -> ConceptTable:
        """Return the table.

        Raises:
            InputError: The file has changed since it was opened, or is not a table of concepts.
        """
        return _read_table(self)


def count_concepts(images: Iterable[tuple[int, Iterable[Name]]]) -> ConceptTable:
    """Return the table of these images, given as pairs of a number of images and the names that each mentions."""
    n_images = 0
    counts: dict[str, int] = {}
    for n_equal, names in images:
        n_images += n_equal
        for name in {" ".join(name) for name in names}:
            counts[name] = counts.get(name, 0) + n_equal
    return ConceptTable(n_images=n_images, counts=counts)


@lru_cache(maxsize=1)
def _read_table(file: ConceptFile) -> ConceptTable:
    text = file.read()
    try:
        content = json.loads(text)
    except ValueError as error:
        raise InputError(f"{file.path}: must be JSON, got: {error}") from error
    if not (isinstance(content, dict) and content.get("format") == _FORMAT):
        raise InputError(f"{file.path}: must be a table of concepts (field 'format': {_FORMAT!r}), but is not")
    return _make_table(file.path, content)


def _make_table(path: Path, content: Mapping[str, Any]) -> ConceptTable:
    n_images, counts = content.get("n_images"), content.get("counts")
    if not (isinstance(n_images, int) and isinstance(counts, dict)):
        raise InputError(f"{path}: must have a whole number 'n_images' and an object 'counts'")
    for name, count in counts.items():
        if not (isinstance(count, int) and 1 <= count <= n_images):
            raise InputError(f"{path}: count of {name!r} must be a number from 1 to {n_images}, got {count!r}")
    return ConceptTable(n_images=n_images, counts=counts)
