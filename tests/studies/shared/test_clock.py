"""Tests of the clock and the random generator of raters' pages, which only code in the process can replace."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import Random
from secrets import SystemRandom

import pytest
from django.utils import timezone

from studies.shared.clock import get_generator, read_clock, use_clock, use_generator

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


def test_an_inner_clock_overrides_an_outer_one() -> None:
    with use_clock(lambda: LONG_AGO):
        with use_clock(lambda: LONG_AGO + timedelta(days=1)):
            assert read_clock() == LONG_AGO + timedelta(days=1)
        assert read_clock() == LONG_AGO


def test_a_clock_is_not_read_by_other_threads() -> None:
    with use_clock(lambda: LONG_AGO), ThreadPoolExecutor(1) as pool:
        assert is_time_of_day(pool.submit(read_clock).result())


def test_a_generator_is_used_inside_only_and_by_no_other_thread() -> None:
    with use_generator(Random(0)), ThreadPoolExecutor(1) as pool:
        assert get_generator().random() == Random(0).random()
        assert isinstance(pool.submit(get_generator).result(), SystemRandom)
    assert isinstance(get_generator(), SystemRandom)
