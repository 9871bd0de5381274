"""Runs one side of a benchmark in a separate process, so that memory and imports are measured separately."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def parse_side_arguments(
    description: str | None, *, sides: Iterable[str], n: int, counted: str = "items", shown: str = "candidates"
) -> argparse.Namespace:
    """Return the command-line options of a benchmark, and those by which `run_side` starts it again.

    Args:
        description: The docstring of the script.
        sides: Their names.
        n: The default of the option that says how many are measured.
        counted: The name of this option.
        shown: What it counts, in words.
    """
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    parser.add_argument(f"--{counted}", type=int, default=n, help=f"how many {shown} (default: {n})")
    parser.add_argument("--side", choices=tuple(sides), help=argparse.SUPPRESS)
    parser.add_argument("--captions", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


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
