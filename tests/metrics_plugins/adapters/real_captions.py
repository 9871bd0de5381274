"""Real captions for the tests of adapters."""

import gzip
import json
from pathlib import Path


def load_rows(data_folder: Path, *, n_rows: int) -> list[tuple[str, list[str]]]:
    """Return candidates and their references, of COCO."""
    with gzip.open(data_folder / "coco" / "example_input.json.gz", "rt") as file:
        return [(image["test"], image["refs"]) for image in json.load(file)[:n_rows]]
