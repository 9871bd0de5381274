"""Readers of judged captions in CSV or JSON lines with the columns `image_id`, `caption` and `judgment`."""

import csv
import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.readers.records import InputError, make_record, shorten
from metrics_plugins.readers.text import read_text

COLUMNS: Final = ("image_id", "caption", "judgment")


@dataclass(frozen=True, slots=True)
class JudgedCaptions:
    """Captions with human judgments.

    Attributes:
        path: The file.
        judgments: The judgments of each caption of an image, in the order of the file; higher is better.
    """

    path: Path
    judgments: Mapping[tuple[str, str], tuple[float, ...]]

    def make_rows(self, references: Mapping[str, Sequence[str]], *, without: Collection[str] = ()) -> JudgedRows:
        """Return the captions with their references and mean judgments; the keys are the ids of images.

        Args:
            references: The references by image; those of other images are not used.
            without: Images to leave out.

        Raises:
            InputError: An image has no references, or no image remains.
        """
        left = {pair: values for pair, values in self.judgments.items() if pair[0] not in without}
        for image, caption in left:
            if not references.get(image):
                raise InputError(f"{self.path}: image {image} (caption {shorten(caption)}) has no references")
        if not left:
            raise InputError(f"{self.path}: no judged caption is left of {len(self.judgments)}")
        batch = Batch.make(
            [image for image, _ in left],
            candidates=[caption for _, caption in left],
            references=[references[image] for image, _ in left],
        )
        return JudgedRows(batch, np.array([float(np.mean(values)) for values in left.values()]))


def read_judgments(path: Path) -> JudgedCaptions:
    """Read a table with a line for each judgment, or for each caption with its mean judgment.

    `.csv` and `.jsonl` may be compressed (`.csv.gz`). Other columns are ignored.

    Raises:
        InputError: The name has another extension, there are no judgments, or a line is invalid.
    """
    name = path.with_suffix("") if path.suffix == ".gz" else path
    if name.suffix not in (".csv", ".jsonl"):
        raise InputError(f"{path}: the name must end in .csv or .jsonl (compressed: .csv.gz, .jsonl.gz)")
    judgments: dict[tuple[str, str], list[float]] = {}
    for number, fields in _list_csv(path) if name.suffix == ".csv" else _list_json(path):
        where = f"{path}: line {number}"
        record = make_record(fields, number=number, where=where)
        judgment = _read_number(fields, where=where)
        judgments.setdefault((record.image_id, record.caption), []).append(judgment)
    if not judgments:
        raise InputError(f"{path}: must hold judgments, got none")
    return JudgedCaptions(path=path, judgments={pair: tuple(values) for pair, values in judgments.items()})


def _list_csv(path: Path) -> Iterator[tuple[int, object]]:
    lines = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        missing = sorted(set(COLUMNS) - set(lines.fieldnames or ()))
        if missing:
            raise InputError(f"{path}: must have the columns {', '.join(COLUMNS)}: it lacks {', '.join(missing)}")
        for fields in lines:
            if None in fields or None in fields.values():
                raise InputError(f"{path}: line {lines.line_num}: must have as many fields as the header")
            yield lines.line_num, fields
    except csv.Error as error:
        raise InputError(f"{path}: line {lines.line_num}: must be CSV, got: {error}") from error


def _list_json(path: Path) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}: line {number}: must be a JSON object, got: {error}") from error


def _read_number(fields: object, *, where: str) -> float:
    value = fields.get("judgment") if isinstance(fields, Mapping) else None
    try:
        number = float(value)  # type: ignore[arg-type]  # other types raise an error
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not isfinite(number):
        raise InputError(f"{where}: field 'judgment': must be a finite number, got {shorten(value)}")
    return number
