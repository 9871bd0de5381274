"""Tests that docs/metrics.md agrees with the registry; timings need only be present."""

import re

from benchmarks.metrics.rates import list_bundled, list_unmeasured
from benchmarks.metrics.table import COLUMNS, COMMAND, PAGE, format_page
from metrics_plugins.runtime.rates import read_rates

ADVICE = f"docs/metrics.md is out of step with the registry; run `{COMMAND}` and commit what it changes"
TEXT = PAGE.read_text()


def _leave_out_timings(page: str) -> list[str]:
    return [re.sub(r"\| [\d.,]+ \|$", "| |", line) for line in page.splitlines()]


def test_page_says_what_the_registry_says() -> None:
    assert _leave_out_timings(TEXT) == _leave_out_timings(format_page(read_rates())), ADVICE


def test_every_metric_is_measured() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \|.*\| ([\d.,]+) \|$", TEXT, re.MULTILINE))

    assert sorted(rows) == sorted(each.info.id for each in list_bundled()), ADVICE
    assert list_unmeasured(read_rates()) == [], ADVICE
    assert all(float(seconds.replace(",", "")) > 0 for seconds in rows.values())


def test_columns_are_explained() -> None:
    introduction = TEXT.partition("\n## ")[0]

    assert [
        name for name in COLUMNS if name not in ("id", "title", "citation") and f"*{name}*" not in introduction
    ] == []
