"""Tests of the table of faults."""

from dataclasses import replace

from benchmarks.faults import Outcome, tabulate

RUN = Outcome(
    fault="none", cut_seconds=0.0, seconds=10.0, n_commands=1, n_lost=0, n_twice=0, n_repeated=0, is_equal=True
)


def test_table_has_sums_medians_and_ranges_of_each_fault():
    cut = replace(RUN, fault="network", cut_seconds=60.0, seconds=70.0)
    outcomes = [RUN, replace(RUN, seconds=14.0), cut, replace(cut, seconds=80.0, n_lost=2, n_commands=2), cut]

    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in tabulate(outcomes)]

    assert rows[2] == ["none", "2", "0", "0", "2 of 2", "0", "1", "12.0 (10.0 to 14.0)", ""]
    assert rows[3] == [
        "the scheduler's network cut for 60 s",
        "3",
        "2",
        "0",
        "3 of 3",
        "0",
        "1 (1 to 2)",
        "70.0 (70.0 to 80.0)",
        "58.0 s",
    ]
    assert {len(row) for row in rows} == {9}


def test_a_lost_chunk_or_another_byte_is_not_good():
    assert RUN.is_good
    assert not replace(RUN, n_lost=1).is_good
    assert not replace(RUN, n_twice=1).is_good
    assert not replace(RUN, is_equal=False).is_good
