"""The manifest of a folder of scores: what was scored by what, and which partitions are complete."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from metrics_plugins.large_tables.captions import CaptionTable
from metrics_plugins.large_tables.storage import Storage
from metrics_plugins.readers import InputError

FILE: Final = "_manifest.json"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read: its name in its folder (empty if it is the whole table), rows and SHA-256."""

    name: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Counts:
    """What one metric gave in one partition.

    Attributes:
        missing: The number of rows without a score.
        infinite: The number of rows with an infinite score, which are among the missing ones.
        counted: For a metric that sums statistics, the number of rows that count for the system; else None.
        totals: For such a metric, the sums of the statistics of these rows; else None.
    """

    missing: int
    infinite: int
    counted: int | None = None
    totals: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Partition:
    """A complete file of scores; `first_row` counts the rows of all candidates from 0."""

    file: str
    first_row: int
    rows: int
    sha256: str
    metrics: Mapping[str, Counts]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of `_manifest.json`.

    Attributes:
        signatures: The signature of each metric.
        higher_is_better: For each metric, whether a larger score means a better caption.
        candidates: The files of candidates.
        references: The files of references; None if there were none.
        rows: The number of candidates.
        rows_per_partition: The largest number of rows of a partition.
        seed: The seed of metrics that draw at random.
        partitions: The complete partitions, by their number.
        scores: The score of all rows by each metric, None where undefined; empty until all partitions are complete.
    """

    signatures: Mapping[str, str]
    higher_is_better: Mapping[str, bool]
    candidates: tuple[InputFile, ...]
    references: tuple[InputFile, ...] | None
    rows: int
    rows_per_partition: int
    seed: int
    partitions: Mapping[int, Partition] = field(default_factory=dict)
    scores: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return sum(each.rows for each in self.partitions.values()) == self.rows and bool(self.scores)

    def count(self, metric: str) -> tuple[int, int]:
        """Return the number of rows without a score of a metric, and of those with an infinite one."""
        counts = [each.metrics[metric] for each in self.partitions.values()]
        return sum(each.missing for each in counts), sum(each.infinite for each in counts)

    def keep(self, number: int, partition: Partition) -> "Manifest":
        """Return the manifest with one more complete partition."""
        return replace(self, partitions=dict(sorted({**self.partitions, number: partition}.items())))

    def explain_difference(self, wanted: "Manifest") -> str:
        """Return in what the scores of this manifest are of something else than wanted; empty if they are not."""
        return next(self._list_differences(wanted), "")

    def _list_differences(self, wanted: "Manifest") -> Iterator[str]:
        if self.signatures != wanted.signatures:
            mine, others = " and ".join(self.signatures.values()), " and ".join(wanted.signatures.values())
            yield f"metrics: it holds scores by {mine}, and the command asks for {others}"
        for kind in ("candidates", "references"):
            mine, others = getattr(self, kind), getattr(wanted, kind)
            if mine != others:
                yield f"{kind}: {_name_difference(mine, others)}"
        for name in ("rows_per_partition", "seed"):
            mine, others = getattr(self, name), getattr(wanted, name)
            if mine != others:
                yield f"--{name.replace('_', '-')}: it was made with {mine}, and the command has {others}"

    def to_json(self) -> str:
        fields: dict[str, Any] = asdict(self)
        partitions = [{"number": number, **each} for number, each in fields.pop("partitions").items()]
        scores = fields.pop("scores")
        content = {"format": FORMAT, **fields, "complete": self.is_complete, "scores": scores, "partitions": partitions}
        return json.dumps(content, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str, *, where: str) -> Self:
        """Read what `to_json` wrote.

        Raises:
            InputError: The text is something else.
        """
        try:
            fields = json.loads(text)
            if fields.pop("format") != FORMAT:
                raise ValueError(f"its format must be {FORMAT}")
            fields.pop("complete")
            references = fields.pop("references")
            partitions = {each.pop("number"): _read_partition(each) for each in fields.pop("partitions")}
            return cls(
                **fields | {"candidates": tuple(InputFile(**each) for each in fields["candidates"])},
                references=None if references is None else tuple(InputFile(**each) for each in references),
                partitions=partitions,
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{where}: must be the manifest of a folder of scores, got: {error}") from error


def read_manifest(folder: Storage) -> Manifest | None:
    """Return the manifest of a folder; None if it has none.

    Raises:
        InputError: It cannot be read.
    """
    try:
        text = folder.read_bytes(FILE).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Manifest.from_json(text, where=folder.locate(FILE))


def write_manifest(manifest: Manifest, folder: Storage, *, scratch: Path) -> None:
    """Replace the manifest of a folder; at any time there is the old or the new one, whole."""
    unfinished = scratch / FILE
    unfinished.write_text(manifest.to_json(), encoding="utf-8")
    folder.take(unfinished, FILE)


def list_files(table: CaptionTable) -> tuple[InputFile, ...]:
    """Return the files of a table as a manifest names them."""
    return tuple(InputFile(file.name, file.n_rows, file.digest) for file in table.files)


def _read_partition(fields: Mapping[str, Any]) -> Partition:
    metrics = {
        name: Counts(**counts | {"totals": None if counts["totals"] is None else tuple(counts["totals"])})
        for name, counts in fields["metrics"].items()
    }
    return Partition(**{**fields, "metrics": metrics})


def _name_difference(mine: Sequence[InputFile] | None, others: Sequence[InputFile] | None) -> str:
    if mine is None or others is None:
        return "it was made without, and the command has some" if mine is None else "it was made with some"
    known, given = {each.name: each for each in mine}, {each.name: each for each in others}
    if known.keys() != given.keys():
        odd = min(known.keys() ^ given.keys())
        return f"the file {odd!r} is " + ("no longer there" if odd in known else "new")
    changed = next(name for name in known if known[name] != given[name])
    what = f"the file {changed!r}" if changed else "the file"
    return f"{what} has another content ({known[changed].sha256[:12]} then, {given[changed].sha256[:12]} now)"
