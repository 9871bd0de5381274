from datetime import UTC, datetime, timedelta

from annotation_ui.simulation.clock import read_fast_clock

START = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)


def test_clock_runs_faster_from_its_start_on():
    assert read_fast_clock(START, factor=30, since=START) == START
    assert read_fast_clock(START + timedelta(seconds=2), factor=30, since=START) == START + timedelta(minutes=1)


def test_clock_stands_before_its_start():
    assert read_fast_clock(START - timedelta(hours=1), factor=30, since=START) == START
