"""Tests that a large study is exported with little memory."""

import pytest

from benchmarks.studies.exports import measure


@pytest.mark.slow
def test_an_export_holds_few_judgments_at_once():
    found = measure(10_000, ["csv", "jsonl", "parquet", "naive"])

    # The naive list takes 5 KiB a judgment; a buffer of some thousand rows is a few MiB, however many there are.
    for side in ("csv", "jsonl", "parquet"):
        assert found[side]["mib"] < found["naive"]["mib"] / 5, found
