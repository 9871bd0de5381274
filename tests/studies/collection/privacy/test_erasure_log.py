"""Tests of the log of erasures: when it is written, repeated entries, and damaged lines."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction

from studies.collection.privacy.erasure_log import Erasure, commit_erasures, log_erasures, read_erasures
from tests.factories.studies import NOW

FIRST, SECOND = Erasure("a", NOW), Erasure("b", NOW)


@pytest.fixture
def log(settings, tmp_path):
    settings.ACCORDANCE_ERASURES = str(tmp_path / "elsewhere" / "erasures.jsonl")
    return tmp_path / "elsewhere" / "erasures.jsonl"


def _log(*erasures: Erasure) -> None:
    with commit_erasures():
        log_erasures(erasures)


@commit_erasures()
def _fail_after(step: Callable[[], None]) -> None:
    step()
    raise ZeroDivisionError


@pytest.mark.django_db
def test_last_erasure_of_a_subject_counts(log) -> None:
    later = Erasure("a", NOW + timedelta(days=1), answers=True, receipt="R")

    _log(FIRST, SECOND)
    _log(later)
    _log()

    read = read_erasures([log])
    assert (read.by_subject, read.unconfirmed, read.broken) == ({"a": later, "b": SECOND}, frozenset(), ())
    # Two transactions, each with a line that says that it is done.
    assert len(log.read_text().splitlines()) == 5


@pytest.mark.django_db(transaction=True)
def test_nothing_is_logged_of_a_transaction_that_is_rolled_back(log) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail_after(lambda: _log(FIRST))

    assert not log.exists()


@pytest.mark.django_db(transaction=True)
def test_of_a_part_that_is_rolled_back_nothing_is_logged_and_of_the_rest_all(log) -> None:
    with commit_erasures():
        log_erasures([SECOND])
        with pytest.raises(ZeroDivisionError):
            _fail_after(lambda: log_erasures([FIRST]))

    assert read_erasures([log]).by_subject == {"b": SECOND}


@pytest.mark.django_db(transaction=True)
def test_transaction_around_it_is_refused(log) -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        _log(FIRST)
    with pytest.raises(RuntimeError, match="within `commit_erasures`"):
        log_erasures([FIRST])

    assert not log.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("torn", [b'{"entry": "1", "at": "20', b"\xff\xfe", b"[1]", b"no erasure"])
def test_broken_line_is_told_of_and_the_others_read(log, torn) -> None:
    _log(FIRST)
    whole = log.read_bytes()
    log.write_bytes(whole + torn)

    at_the_end = read_erasures([log])
    _log(SECOND)
    in_the_middle = read_erasures([log])

    assert at_the_end.by_subject == {"a": FIRST}
    assert in_the_middle.by_subject == {"a": FIRST, "b": SECOND}
    for read in (at_the_end, in_the_middle):
        (told,) = read.broken
        assert told.startswith(f"{log}, line 3: must be an erasure as JSON, got ")
        assert read.unconfirmed == frozenset()


def test_missing_file_is_told_of(log) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no log of erasures at .*erasures.jsonl\. If its disk"):
        read_erasures([log])
