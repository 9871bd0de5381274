"""A reader of captions in any format, which is determined by the name of the file."""

from collections.abc import Callable
from pathlib import Path

from metrics_plugins.readers.coco import read_coco
from metrics_plugins.readers.groups import read_groups
from metrics_plugins.readers.records import CaptionFile, InputError
from metrics_plugins.readers.tables import read_csv, read_json_lines, read_parquet

READERS: dict[str, Callable[[Path], CaptionFile]] = {
    ".json": read_coco,
    ".jsonl": read_json_lines,
    ".csv": read_csv,
    ".parquet": read_parquet,
    ".txt": read_groups,
}


def read_captions(path: Path) -> CaptionFile:
    """Read a file of captions; all but `.parquet` may be compressed (`.json.gz`).

    Raises:
        InputError: The name has another extension, the file has no captions, or a record is invalid.
    """
    name = path.with_suffix("") if path.suffix == ".gz" else path
    if name.suffix not in READERS or (path.suffix == ".gz" and name.suffix == ".parquet"):
        known = ", ".join(READERS)
        raise InputError(f"{path}: the name must end in {known} (compressed: .json.gz, .jsonl.gz, .csv.gz, .txt.gz)")
    file = READERS[name.suffix](path)
    if not file.records:
        raise InputError(f"{path}: must hold captions, got none")
    return file
