"""The golden captions as columns."""

import json
from pathlib import Path


def read_golden(folder: Path) -> tuple[list[str], list[str], list[list[str]]]:
    """Return images, captions and references of the golden files, in the order of the candidates."""
    from metrics_plugins.cli.inputs import read_inputs

    found = read_inputs(folder / "candidates.json", references=folder / "references.json")
    assert found.references is not None
    return list(found.image_ids), list(found.candidates), [list(found.references[key]) for key in found.image_ids]


def read_expected(folder: Path, name: str) -> dict:
    """Return a file of expected numbers: `corpus`, and `segments` by image."""
    return json.loads((folder / name).read_text())
