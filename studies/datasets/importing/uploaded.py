"""Reads uploaded data of a known format: a table of judgments, or a published data set."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from studies.datasets.importing.files.opening import ARCHIVES
from studies.datasets.importing.formats import FORMATS, read_data
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.records import DatasetRecord
from studies.datasets.importing.tables.known_tables import TABLES
from studies.shared.errors import ImportFailed

TABLE: Final = "table"
UPLOADED_FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {
        TABLE: "A table of judgments",
        "coco": "COCO caption results, without judgments",
        "flickr8k-expert": "Flickr8k-Expert",
        "flickr8k-cf": "Flickr8k-CF",
        "pascal-50s": "PASCAL-50S",
        "triplets": "Consensus study of triplets: ABSTRACT-50S, PASCAL-50S",
        "fense": "FENSE: AudioCaps, Clotho",
        **{name: str(table.facts.title) for name, table in TABLES.items()},
    }
)
"""Format -> its title; folders of folders, such as worlds, cannot be uploaded."""


def read_uploaded_data(
    choices: Mapping[str, str], *, items: Sequence[Path], references: Path | None, folder: Path
) -> DatasetRecord:
    """Return the data of an upload.

    Args:
        choices: `format`, a key of `UPLOADED_FORMATS` (by default a table); and, where they are given and the format
            has them, `name` (of the study and dataset), `scale`, `protocol` and `columns` (JSON of `FIELD=COLUMN`).
        items: The files: of a published data set also an archive of them.
        references: The file of references; of COCO results, the annotations.
        folder: A folder in which the files can be put together.

    Raises:
        ImportFailed: A file or choice breaks a rule.
    """
    name = choices.get("format") or TABLE
    if name not in UPLOADED_FORMATS:
        raise ImportFailed("the format", f"must be one of {', '.join(UPLOADED_FORMATS)}", got=name)
    given = {option: choices.get(option) or None for option in ("scale", "protocol")}
    options: dict[str, Any] = {option: value for option, value in given.items() if value}
    columns = tuple(json.loads(choices.get("columns") or "[]"))
    if columns:
        options["column"] = columns
    accepted = FORMATS[name].options
    if "references" in accepted:
        options |= {"source": items[0], "more_sources": tuple(items[1:])}
        options |= {"references": (references,)} if references else {}
        options |= {"ignore_columns": True, "guess_columns": True} if name == TABLE else {}
    elif name == "coco":
        is_archive = len(items) == 1 and items[0].suffix.lower() in ARCHIVES
        options |= {"source": items[0]} if is_archive else {"source": items[0], "results": tuple(items)}
        options |= {"annotations": str(references)} if references else {}
    else:
        options["source"] = _find_source(name, items, folder=folder)
    return read_data(name, options=ImportOptions(study=choices.get("name") or None, **options))


def _find_source(name: str, items: Sequence[Path], *, folder: Path) -> Path:
    """Return the archive or file that was uploaded, or a folder with all files."""
    if len(items) == 1 and (items[0].suffix.lower() in ARCHIVES or name == "triplets"):
        return items[0]
    names = [path.name for path in items]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ImportFailed(twice[0], "must be uploaded only once")
    together = folder / "together"
    together.mkdir(mode=0o700, exist_ok=True)
    for path in items:
        link = together / path.name
        link.unlink(missing_ok=True)
        link.hardlink_to(path)
    return together
