"""Tests of the model of cost, and that the page has the tables that it gives."""

from pathlib import Path

import pytest

from benchmarks.costs import (
    CaptionCost,
    JudgmentCost,
    Machine,
    compute_captions,
    compute_traffic,
    find_first_limit,
    find_machines,
    write_tables,
)
from metrics_plugins.runtime.rates import read_rates

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"


def test_page_has_the_tables_of_the_script() -> None:
    page = PAGE.read_text()

    assert [table for table in write_tables() if table not in page] == []


def test_captions_cost_what_each_metric_costs() -> None:
    rates = read_rates()

    cost = compute_captions(1000, metrics=["bleu-4", "cider-d"])

    per_caption = sum(rates[metric].seconds / rates[metric].items for metric in ("bleu-4", "cider-d"))
    assert cost.core_seconds == pytest.approx(1000 * per_caption)
    # A score, and for BLEU ten statistics beside it, of eight bytes each.
    assert cost.database_bytes == 1000 * 8 * (1 + 10 + 1)


def test_first_limit_is_the_one_exceeded_most() -> None:
    machine = Machine(cores=2, disk_bytes=100.0, seconds=10.0)

    limits = [
        find_first_limit(CaptionCost(seconds, size, 0.0), machine)
        for seconds, size in ((20.0, 100.0), (21.0, 100.0), (20.0, 101.0), (40.0, 300.0), (60.0, 200.0))
    ]

    assert limits == ["none", "processor time", "disk", "disk", "processor time"]
    assert [find_machines(CaptionCost(seconds, 0.0, 0.0), machine) for seconds in (20.0, 21.0)] == [1, 2]


def test_traffic_is_proportional_to_raters() -> None:
    traffic = compute_traffic(100, JudgmentCost(web_ms=10.0, database_ms=2.0, writes=4, commits=2), think=5.0)

    assert (traffic.judgments, traffic.web_cores, traffic.database_cores) == pytest.approx((20.0, 0.2, 0.04))
    assert (traffic.writes, traffic.commits) == (80.0, 40.0)
