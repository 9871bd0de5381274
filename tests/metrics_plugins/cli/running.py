"""Runs the command line in this process, which has imported what most commands need, or in one of its own."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from metrics_plugins.cli.main import main


def run_command(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what a command does in this process, with the folder as its working folder.

    A second interpreter would import for longer than most commands run.
    """
    command = [*map(str, arguments)]
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(io.StringIO()) as output,
        redirect_stderr(io.StringIO()) as errors,
    ):
        patch.chdir(folder)
        for name, value in environment.items():
            patch.setenv(name, value)
        try:
            exit_code = main(command)
        except SystemExit as stopped:  # of argparse
            exit_code = stopped.code
    return subprocess.CompletedProcess(command, exit_code, output.getvalue(), errors.getvalue())


def run_program(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what `python -m metrics_plugins` does with these arguments in a process of its own, as a user runs it."""
    command = [sys.executable, "-m", "metrics_plugins", *map(str, arguments)]
    variables = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


def score(*arguments: str | Path, folder: Path) -> list[dict]:
    """Return the rows that `score` prints."""
    result = run_command("score", *arguments, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def write_captions(path: Path, *captions: tuple[object, str]) -> Path:
    """Write a COCO result file."""
    path.write_text(json.dumps([{"image_id": image_id, "caption": caption} for image_id, caption in captions]))
    return path
