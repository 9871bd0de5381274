"""Runs the command line in a separate process, as a user does."""

import json
import os
import subprocess
import sys
from pathlib import Path


def run_command(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what `python -m metrics_plugins` did with these arguments."""
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
