"""Tests that the benchmark measures every segment-level metric, and compares rows alone with rows among many."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.metrics.scaling import list_segment_metrics

ROOT = Path(__file__).resolve().parents[3]


def test_rows_of_a_small_run() -> None:
    command = [
        sys.executable,
        "-m",
        "benchmarks.metrics.scaling",
        "--json",
        "--sizes",
        "1000,2000",
        "rouge-l",
        "cider-d",
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    rows = json.loads(result.stdout)
    assert [(row["metric"], row["family"], row["sizes"]) for row in rows] == [
        ("rouge-l", "ngram", [1000, 2000]),
        ("cider-d", "ngram", [1000, 2000]),
    ]
    assert all(row["same"] for row in rows)
    assert all(len(row["seconds"]) == 2 and row["seconds"][0] > 0 and len(row["ratios"]) == 1 for row in rows)


def test_every_family_of_segment_metrics_is_there() -> None:
    assert {"bleu-4", "cider-d", "meteor", "chair-i"} <= set(list_segment_metrics())
