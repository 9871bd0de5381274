"""Tests that plugins installed with pip are found by their entry point, and broken ones are rejected by name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.installing import make_environment

CAPTIONS = [
    {"image_id": 1, "caption": "A dog runs."},
    {"image_id": 1, "caption": "a dog runs"},
    {"image_id": 2, "caption": "Two cats sleep"},
]
REFERENCES = [
    {"image_id": 1, "caption": "a brown dog"},
    {"image_id": 1, "caption": "the dog runs"},
    {"image_id": 2, "caption": "a cat"},
]


def _run(*arguments: str, plugins: tuple[Path, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "metrics_plugins", *arguments]
    environment = make_environment(*plugins)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def captions(tmp_path: Path) -> Path:
    (tmp_path / "candidates.json").write_text(json.dumps(CAPTIONS))
    (tmp_path / "references.json").write_text(json.dumps(REFERENCES))
    return tmp_path


def _score(metrics: str, *extra: str, plugins: tuple[Path, ...], folder: Path) -> list[dict]:
    files = ["--candidates", "candidates.json", "--references", "references.json"]
    result = _run("score", *files, "--metrics", metrics, *extra, plugins=plugins, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_outside_metrics_are_listed_with_their_package(installed_plugins: Path, tmp_path: Path) -> None:
    result = _run("list", "--json", plugins=(installed_plugins,), folder=tmp_path)

    rows = {row["id"]: row for row in json.loads(result.stdout)}
    outside = {metric for metric, row in rows.items() if row["plugin"] == "example"}
    assert result.stderr == ""
    assert outside == {"word-overlap", "set-variety", "word-rarity"}
    assert {rows[metric]["distribution"] for metric in outside} == {"accordance-example-metrics 1.2.0"}
    assert {"bleu-1", "cider-d", "length"} <= set(rows)


@pytest.mark.parametrize("metric", ["word-overlap", "set-variety", "word-rarity"])
def test_outside_metric_passes_the_checks(metric: str, installed_plugins: Path, tmp_path: Path) -> None:
    result = _run("check", metric, plugins=(installed_plugins,), folder=tmp_path)

    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("FAILED")] == []
    assert (result.returncode, result.stderr) == (0, "")
    # A metric without a card gets a warning, which is no check.
    n_checks = sum(not line.startswith("warning ") for line in lines[:-1])
    assert lines[-1] == f"{n_checks} of {n_checks} checks passed"


def test_outside_metrics_score(installed_plugins: Path, captions: Path) -> None:
    rows = _score("word-overlap,set-variety,word-rarity", plugins=(installed_plugins,), folder=captions)

    # word-overlap: 3 of 3, 3 of 3 and 0 of 3 words, all together 6 of 9. set-variety: "a dog runs. a dog runs" has 4 of
    # 6, "two cats sleep" 3 of 3. word-rarity, of 2 images: a 2, dog 1, runs 1, "runs." 0; two, cats and sleep 0.
    assert [(row["metric"], row["level"], row["key"], pytest.approx(row["value"])) for row in rows] == [
        ("word-overlap", "segment", "1", 1.0),
        ("word-overlap", "segment", "1", 1.0),
        ("word-overlap", "segment", "2", 0.0),
        ("word-overlap", "corpus", None, 6 / 9),
        ("set-variety", "set", "1", 4 / 6),
        ("set-variety", "set", "2", 1.0),
        ("set-variety", "corpus", None, 5 / 6),
        ("word-rarity", "segment", "1", 1 - 3 / 6),
        ("word-rarity", "segment", "1", 1 - 4 / 6),
        ("word-rarity", "segment", "2", 1.0),
        ("word-rarity", "corpus", None, (3 / 6 + 2 / 6 + 1) / 3),
    ]


def test_bundled_metric_takes_an_outside_tokenizer(installed_plugins: Path, captions: Path) -> None:
    rows = _score("length", "--param", "length.tokenizer=letters", plugins=(installed_plugins,), folder=captions)

    assert [row["value"] for row in rows] == [3.0, 3.0, 3.0, 3.0]


def test_broken_plugins_are_refused_by_name_and_the_rest_works(
    installed_plugins: Path, installed_broken_plugins: Path, captions: Path
) -> None:
    plugins = (installed_plugins, installed_broken_plugins)

    result = _run("list", plugins=plugins, folder=captions)

    failing, misspelled, taken = [line for line in result.stderr.splitlines() if line.startswith("plugin ")]
    assert result.returncode == 0
    assert failing == (
        "plugin 'failing' of accordance-failing-import 0.1.0 is refused: accordance_failing_import.plugin fails to "
        "import: ModuleNotFoundError: No module named 'a_package_that_nobody_has'"
    )
    assert misspelled.startswith("plugin 'misspelled' of accordance-misspelled-hook 0.1.0 is refused: ")
    assert "unknown hook 'registers_metrics'" in misspelled
    assert taken == (
        "plugin 'taken' of accordance-taken-id 0.1.0 is refused: metric id 'bleu-1' is claimed by "
        "accordance_taken_id.plugin (plugin 'taken') and by metrics_plugins.metrics.ngram.bleu (plugin 'ngram')"
    )
    listed = [line.split()[0] for line in result.stdout.splitlines()]
    assert {"word-overlap", "set-variety", "word-rarity", "bleu-1"} <= set(listed)
    assert listed.count("bleu-1") == 1
    assert len(_score("word-overlap", plugins=plugins, folder=captions)) == 4


def test_unknown_metric_only_counts_refused_plugins_that_do_not_mention_it(
    installed_broken_plugins: Path, captions: Path
) -> None:
    result = _run("check", "unheard-of", plugins=(installed_broken_plugins,), folder=captions)

    assert result.returncode == 2
    assert result.stderr.startswith("error: no installed plugin has a metric 'unheard-of'")
    assert result.stderr.endswith(" (plugins that are refused: 3; the list of metrics says why)\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("load_registry(strict=True)", "PluginError: plugin 'failing' of accordance-failing-import 0.1.0 is refused"),
        ("load_registry(blocked=['failing', 'misspelled', 'taken'], strict=True)", ""),
    ],
)
def test_strict_loading_and_blocking(
    program: str, printed: str, installed_broken_plugins: Path, tmp_path: Path
) -> None:
    result = subprocess.run(
        [sys.executable, "-c", f"from metrics_plugins.runtime import load_registry; {program}"],
        cwd=tmp_path,
        env=make_environment(installed_broken_plugins),
        capture_output=True,
        text=True,
        check=False,
    )

    assert printed in result.stderr
    assert bool(printed) == bool(result.returncode)
