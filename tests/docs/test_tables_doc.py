"""Tests of the tables in docs/tables/.

That they equal the results on the published data in every printed digit is tested where these are computed, in
tests/studies/analysis/test_correlations.py.
"""

import re
from pathlib import Path

import pytest

TABLES = Path(__file__).resolve().parents[2] / "docs" / "tables"
# CIDEr and METEOR have tests of their own against published numbers; these score in seconds.
METRICS = ("bleu-1", "bleu-4", "length", "rouge-l")


def read_values(name):
    """Metric -> the values of its line, without bounds and letters."""
    lines = (TABLES / f"{name}.tex").read_text().splitlines()
    cells = {line.partition(" & ")[0]: line for line in lines if " & $" in line}
    return {
        metric: [float(value) for value in re.findall(r"\$(?:\\mathbf\{)?(-?\d\.\d{3})", line)]
        for metric, line in cells.items()
    }


def check_values(name, rows):
    """Compare rows of the study of this name with all that its table prints of their metrics."""
    printed = read_values(name)
    for metric in METRICS:
        found = [row.value for row in rows if row.metric == metric]
        assert printed[metric] == [float(f"{value:.3f}") for value in found]


def test_people_agree_as_published():
    people = read_values("flickr8k-expert")

    assert people[r"\textit{people, mean-pairwise}"] == [0.531, 0.736]


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.tex")), ids=lambda path: path.name)
def test_table_is_signed_and_has_ten_metrics_and_a_command(path):
    text = path.read_text()

    assert text.splitlines()[2].startswith(f"% {path.stem}@1|rows:")
    assert len(re.findall(r"^[\w-]+ & \$", text, re.MULTILINE)) >= 10
    assert f"--out {path.name}" in (TABLES / "README.md").read_text()
