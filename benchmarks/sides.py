"""One side of a benchmark in a process of its own, so that neither its memory nor its imports count for another's."""

import json
import subprocess
import sys
from typing import Any


def run_side(file: str, side: str, **options: object) -> dict[str, Any]:
    """Return what a script prints as JSON when it runs one side; `options` are its flags by name.

    A side that fails ends the benchmark with what it said.
    """
    flags = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    finished = subprocess.run(
        [sys.executable, file, "--side", side, *flags], capture_output=True, text=True, check=False
    )
    if finished.returncode:
        raise SystemExit(f"{side} failed:\n{finished.stderr}")
    result: dict[str, Any] = json.loads(finished.stdout)
    return result
