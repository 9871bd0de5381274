"""One function for all formats: the name of a file says how to read it."""

from collections.abc import Callable
from pathlib import Path

from metrics_plugins.readers.coco import read_coco
from metrics_plugins.readers.records import CaptionFile, InputError
from metrics_plugins.readers.tables import read_csv, read_json_lines, read_parquet

READERS: dict[str, Callable[[Path], CaptionFile]] = {
    ".json": read_coco,
    ".jsonl": read_json_lines,
    ".csv": read_csv,
    ".parquet": read_parquet,
}


def read_captions(path: Path) -> CaptionFile:
    """Read a file of captions; `.json`, `.jsonl` and `.csv` may be packed (`.json.gz`).

    Raises:
        InputError: The name has another ending, the file holds no captions, or a record breaks a rule.
    """
    name = path.with_suffix("") if path.suffix == ".gz" else path
    if name.suffix not in READERS or (path.suffix == ".gz" and name.suffix == ".parquet"):
        known = ", ".join(READERS)
        raise InputError(f"{path}: the name must end in {known} (packed: .json.gz, .jsonl.gz, .csv.gz)")
    file = READERS[name.suffix](path)
    if not file.records:
        raise InputError(f"{path}: must hold captions, got none")
    return file
