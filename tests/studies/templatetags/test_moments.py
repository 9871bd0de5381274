"""Tests of points in time on pages."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from studies.templatetags.moments import moment


def test_a_time_is_that_of_utc():
    at = datetime(2026, 1, 31, 0, 59, 30, tzinfo=ZoneInfo("Europe/Berlin"))

    assert moment(at) == '<time datetime="2026-01-30T23:59:30+00:00">2026-01-30 23:59</time>'
    assert moment(at) == moment(at.astimezone(UTC))


def test_no_time():
    # A template gives an empty text for a name that it does not know.
    assert moment(None) == moment("") == '<span class="faint">none yet</span>'
