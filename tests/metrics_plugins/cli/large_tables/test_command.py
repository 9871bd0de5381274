"""Tests of `score --output`: what it prints, its exit codes, and that a killed command is continued by the same one."""

import json
from pathlib import Path

import pytest

from metrics_plugins.large_tables.storage import find_storage
from tests.metrics_plugins.cli.large_tables.commands import kill_command, list_arguments
from tests.metrics_plugins.cli.running import run_command, run_program

PLUGIN = """
import os

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores, hookimpl


class Capitals(Metric):
    info = MetricInfo(
        id="capitals", title="Capitals", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True, bounds=(0.0, float("inf")), version="1", citation="none",
    )

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [sum(map(str.isupper, text)) for text in batch.candidates])


@hookimpl
def register_metrics():
    return [Capitals]
"""


def test_prints_the_score_of_all_rows_and_what_was_written(tmp_path: Path) -> None:
    arguments = list_arguments(tmp_path, "--rows-per-partition", "100", "--workers", "2", "--signatures")

    first = run_program(*arguments, folder=tmp_path)
    again = run_program(*arguments, folder=tmp_path)

    assert (first.returncode, again.returncode) == (0, 0)
    manifest = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    lines = [line.split() for line in first.stdout.splitlines()]
    assert lines == [
        ["METRIC", "VALUE", "CAPTIONS", "MISSING"],
        *([name, f"{score:.4f}", "360", "0"] for name, score in manifest["scores"].items()),
    ]
    assert again.stdout == first.stdout
    assert first.stderr.startswith("out: 4 partitions written, 0 kept\npeak memory: 0.")
    assert first.stderr.splitlines()[2:] == list(manifest["signatures"].values())
    assert again.stderr.startswith("out: 0 partitions written, 4 kept\n")


def test_a_killed_command_is_continued_by_the_same_one(tmp_path: Path) -> None:
    arguments = list_arguments(tmp_path, "--rows-per-partition", "2")
    whole = run_command(
        *(each.replace("out", "whole") if each == "out" else each for each in arguments), folder=tmp_path
    )
    assert whole.returncode == 0
    out = tmp_path / "out"
    killed = kill_command(arguments, find_storage(str(out)), folder=tmp_path, n_partitions=5)
    kept = {each["file"]: (out / each["file"]).stat().st_mtime_ns for each in killed["partitions"]}
    assert killed["complete"] is False
    assert 5 <= len(kept) < 180

    continued = run_command(*arguments, folder=tmp_path)

    assert continued.returncode == 0
    assert continued.stderr.startswith(f"out: {180 - len(kept)} partitions written, {len(kept)} kept\n")
    assert kept == {name: (out / name).stat().st_mtime_ns for name in kept}
    assert {path.name for path in out.iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}
    for path in (tmp_path / "whole").iterdir():
        assert (out / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--out", "x.csv"], "--out cannot be combined with --output"),
        (["--judged", "x.csv"], "--judged cannot be combined with --output"),
        (["--candidates", "absent"], "absent: there is no such file or folder"),
        (["--metrics", "bleu-4,self-cider"], "metric 'self-cider' has no score of single captions"),
    ],
)
def test_an_invalid_argument_is_an_error_of_usage(more: list[str], message: str, tmp_path: Path) -> None:
    result = run_command(*list_arguments(tmp_path), *more, folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")
    assert not list(tmp_path.glob("out/part-*"))


def test_an_unknown_executor_of_the_environment_is_an_error_of_usage(tmp_path: Path) -> None:
    result = run_command(*list_arguments(tmp_path), folder=tmp_path, ACCORDANCE_EXECUTOR="threads")

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: ACCORDANCE_EXECUTOR must be one of inline, processes, dask, got 'threads'\n"


def test_a_cluster_that_cannot_be_used_stops_the_command_with_the_reason(tmp_path: Path) -> None:
    settings = {"ACCORDANCE_EXECUTOR": "dask", "ACCORDANCE_DASK_WAIT": "long"}

    result = run_command(*list_arguments(tmp_path), folder=tmp_path, **settings)

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "error: the command ended before all was done: ACCORDANCE_DASK_WAIT and ACCORDANCE_SCORING_PROCESSES must be "
    )


def test_a_process_that_ends_stops_the_command_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(
        PLUGIN.replace("        return Scores", "        os._exit(9)\n        return Scores")
    )
    arguments = list_arguments(tmp_path, "--metrics", "capitals", "--plugin", "ends.py", "--workers", "2")

    result = run_program(*arguments, "--rows-per-partition", "100", folder=tmp_path)

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("error: the command ended before all was done: A process in the process pool was")
    assert result.stderr.endswith("; complete partitions are kept, and the same command computes only the others\n")


def test_arguments_of_tables_need_an_output(tmp_path: Path) -> None:
    result = run_command("score", "--candidates", "c.json", "--metrics", "length", "--workers", "2", folder=tmp_path)

    assert (result.returncode, result.stderr) == (2, "error: --workers needs --output\n")


def test_a_plugin_that_is_one_file_scores_tables(tmp_path: Path) -> None:
    (tmp_path / "capitals.py").write_text(PLUGIN)
    arguments = list_arguments(tmp_path, "--metrics", "capitals", "--plugin", "capitals.py")

    result = run_program(*arguments, folder=tmp_path)

    assert (result.returncode, result.stdout.splitlines()[1].split()) == (0, ["capitals", "0.0000", "360", "0"])
