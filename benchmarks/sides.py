"""Runs one side of a benchmark in a separate process, so that memory and imports are measured separately."""

import json
import subprocess
import sys
from typing import Any


def run_side(file: str, side: str, **options: object) -> dict[str, Any]:
    """Return the JSON printed by a script that runs one side; `options` are its command-line options.

    If the script fails, the benchmark exits with its output.
    """
    flags = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    finished = subprocess.run(
        [sys.executable, file, "--side", side, *flags], capture_output=True, text=True, check=False
    )
    if finished.returncode:
        raise SystemExit(f"{side} failed:\n{finished.stderr}")
    result: dict[str, Any] = json.loads(finished.stdout)
    return result
