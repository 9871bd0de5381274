"""The clock of raters' pages: the time of day, but where code of this process passes another one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from studies.shared.clock import read_clock, use_clock

LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


def is_time_of_day(moment: datetime) -> bool:
    return abs(timezone.now() - moment) < timedelta(minutes=1)


def test_a_clock_is_read_inside_and_no_longer_after_an_error() -> None:
    def fail_by(clock):
        with use_clock(clock):
            raise LookupError(read_clock())

    with pytest.raises(LookupError, match="2001"):
        fail_by(lambda: LONG_AGO)
    assert is_time_of_day(read_clock())


def test_a_clock_inside_another_goes_before_it() -> None:
    with use_clock(lambda: LONG_AGO):
        with use_clock(lambda: LONG_AGO + timedelta(days=1)):
            assert read_clock() == LONG_AGO + timedelta(days=1)
        assert read_clock() == LONG_AGO


def test_a_clock_is_not_read_by_other_threads() -> None:
    with use_clock(lambda: LONG_AGO), ThreadPoolExecutor(1) as pool:
        assert is_time_of_day(pool.submit(read_clock).result())
