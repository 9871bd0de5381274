"""Tests of errors (one line, exit code 2), help and output to a shell."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.metrics_plugins.cli.running import run_command, run_program, write_captions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["rate"], "invalid choice: 'rate'"),
        (["check"], "error: name the metric to check, as `list` prints it, or pass --plugin FILE"),
        (["score", "--metrics", "length"], "the following arguments are required: --candidates"),
        (["score", "--candidates", "c.json"], "the following arguments are required: --metrics"),
    ],
)
def test_wrong_arguments(arguments: list, message: str, tmp_path: Path) -> None:
    result = run_command(*arguments, folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "lenght"], "error: no installed plugin has a metric 'lenght'; did you mean length?\n"),
        (
            ["score", "--candidates", "c.json", "--metrics", "lenght"],
            "error: no installed plugin has a metric 'lenght'; did you mean length?\n",
        ),
        (
            ["score", "--candidates", "none.json", "--metrics", "length"],
            "error: none.json: cannot be read: No such file or directory\n",
        ),
        (
            ["score", "--candidates", "c.json", "--metrics", "length", "--out", "x.txt"],
            "error: --out must end in .csv, .jsonl, .parquet, got x.txt\n",
        ),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list, message: str, tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a"))

    result = run_program(*arguments, folder=tmp_path)

    assert (result.returncode, result.stdout, result.stderr) == (2, "", message)


@pytest.mark.parametrize("command", [[], ["list"], ["check"], ["score"]])
def test_help(command: list, tmp_path: Path) -> None:
    result = run_command(*command, "--help", folder=tmp_path)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("usage: python -m metrics_plugins")


def test_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", *((number, "a caption") for number in range(20_000)))
    command = f"{sys.executable} -m metrics_plugins score --candidates c.json --metrics length | head -n 1"

    result = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert json.loads(result.stdout)["key"] == "0"
    assert result.stderr == ""


@pytest.mark.parametrize(
    "start",
    [
        "import metrics_plugins, metrics_plugins.api",
        "from metrics_plugins.runtime import load_registry; load_registry(strict=True)",
        # As `python -m metrics_plugins list`.
        "runpy.run_module('metrics_plugins', run_name='__main__', alter_sys=True)",
    ],
    ids=["package", "registry", "list"],
)
def test_nothing_heavy_is_imported_to_list(start: str, tmp_path: Path) -> None:
    heavy = [
        "torch",
        "spacy",
        "nltk",
        "pandas",
        "transformers",
        "tokenizers",
        "safetensors",
        "scipy.stats",
        "pyarrow",
        "django",
    ]
    program = (
        "import atexit, runpy, sys\n"
        f"atexit.register(lambda: print('loaded:', *[name for name in {heavy} if name in sys.modules]))\n"
        f"{start}\n"
    )
    command = [sys.executable, "-c", program, "list"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    assert result.stdout.splitlines()[-1] == "loaded:"
