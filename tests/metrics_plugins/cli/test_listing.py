"""Tests of `list` for bundled metrics; see tests/plugins/test_installed.py for others."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from metrics_plugins.cli.listing import list_metrics
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
        "card": json.loads(json.dumps(asdict(length.card))),
        "bibtex": length.card.bibtex,
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
    assert table.stderr == ""
    shown = {name: rows["clip-score"][name] for name in ("resources", "available", "missing", "install")}
    assert shown == {
        "resources": ["PyTorch", "CLIP weights"],
        "available": False,
        "missing": ["CLIP weights"],
        "install": ["export ACCORDANCE_CLIP=FOLDER"],
    }


def test_a_terminal_gets_the_commands_that_install_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CLIP_VARIABLE, str(tmp_path / "nothing"))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    list_metrics(as_json=False)

    assert capsys.readouterr().err == "to install what is missing: export ACCORDANCE_CLIP=FOLDER\n"


def test_card_of_a_metric_has_weaknesses_with_sources_and_bibtex(tmp_path: Path) -> None:
    result = run_command("list", "cider-d", folder=tmp_path)

    card = load_registry().get("cider-d").info.card
    text = " ".join(result.stdout.split())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("CIDEr-D (cider-d), version 1, of accordance ")
    assert "score one for each segment, 0 to 10; higher is better" in text
    assert "parameters n=4, sigma=6.0, df=, tokenizer=ptb" in text
    assert "signature cider-d|n:4|sigma:6|tok:ptb|df:references|v:1" in text
    assert all(f"- {each.text} [{each.source}]" in text for each in card.weaknesses)
    assert result.stdout.endswith(f"\n\n{card.bibtex}\n")


def test_json_is_limited_to_the_metrics_that_are_named(tmp_path: Path) -> None:
    result = run_command("list", "length", "bleu-1", "--json", folder=tmp_path)

    assert [row["id"] for row in json.loads(result.stdout)] == ["length", "bleu-1"]


def test_card_says_why_a_signature_is_not_available(tmp_path: Path) -> None:
    result = run_command("list", "clip-score", folder=tmp_path, ACCORDANCE_CLIP="")

    assert result.returncode == 0
    assert "not available: the weights of a CLIP are not installed" in result.stdout


def test_card_of_an_unknown_metric_is_an_error_with_the_nearest_id(tmp_path: Path) -> None:
    result = run_command("list", "cider-dd", folder=tmp_path)

    assert result.returncode == 2
    assert result.stdout == ""
    assert "did you mean" in result.stderr
