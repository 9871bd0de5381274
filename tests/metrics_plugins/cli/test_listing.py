"""Tests of `list` for bundled metrics; see tests/plugins/test_installed.py for others."""

import json
from pathlib import Path

from metrics_plugins.encoders.weights import CLIP_VARIABLE
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.cli.running import run_command


def test_table_has_a_line_a_metric(tmp_path: Path) -> None:
    result = run_command("list", folder=tmp_path, **{CLIP_VARIABLE: str(tmp_path)})

    header, *lines = [line.split() for line in result.stdout.splitlines()]
    assert (result.returncode, result.stderr) == (0, "")
    assert header == ["ID", "LEVEL", "INPUTS", "PLUGIN", "DISTRIBUTION", "MISSING"]
    assert [line[0] for line in lines] == list(load_registry().metrics)
    assert ["bleu-1", "segment", "candidate,references", "ngram", "accordance", "0.1.0"] in lines


def test_json_has_every_field(tmp_path: Path) -> None:
    result = run_command("list", "--json", folder=tmp_path)

    rows = {row["id"]: row for row in json.loads(result.stdout)}
    length = load_registry().get("length").info
    assert rows["length"] == {
        "id": "length",
        "title": length.title,
        "level": "segment",
        "inputs": ["candidate"],
        "higher_is_better": True,
        "bounds": [0.0, None],
        "version": length.version,
        "citation": length.citation,
        "fits_on": "nothing",
        "resources": [],
        "available": True,
        "missing": [],
        "install": [],
        "deterministic": True,
        "plugin": "ngram",
        "distribution": "accordance 0.1.0",
        "module": "metrics_plugins.metrics.ngram.length",
    }


def test_what_a_metric_lacks_is_listed_with_what_installs_it(tmp_path: Path) -> None:
    environment = {CLIP_VARIABLE: str(tmp_path / "nothing")}
    table = run_command("list", folder=tmp_path, **environment)
    rows = {row["id"]: row for row in json.loads(run_command("list", "--json", folder=tmp_path, **environment).stdout)}

    (line,) = [line for line in table.stdout.splitlines() if line.startswith("clip-score ")]
    assert line.endswith("  CLIP weights")
    assert table.stderr == "to install what is missing: export ACCORDANCE_CLIP=FOLDER\n"
    shown = {name: rows["clip-score"][name] for name in ("resources", "available", "missing", "install")}
    assert shown == {
        "resources": ["PyTorch", "CLIP weights"],
        "available": False,
        "missing": ["CLIP weights"],
        "install": ["export ACCORDANCE_CLIP=FOLDER"],
    }
