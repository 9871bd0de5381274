"""The log of erasures: a line each, the last of a subject counts, and a bad line is named."""

from datetime import timedelta

import pytest

from studies.collection.erasure_log import Erasure, log_erasures, read_erasures
from tests.factories.studies import NOW


@pytest.fixture
def log(settings, tmp_path):
    settings.ACCORDANCE_ERASURES = str(tmp_path / "elsewhere" / "erasures.jsonl")
    return tmp_path / "elsewhere" / "erasures.jsonl"


def test_last_erasure_of_a_subject_counts(log) -> None:
    first, later = Erasure("a", NOW, answers=False), Erasure("a", NOW + timedelta(days=1), answers=True, receipt="R")

    log_erasures([first, Erasure("b", NOW)])
    log_erasures([later])
    log_erasures([])

    assert read_erasures([log]) == {"a": later, "b": Erasure("b", NOW)}
    assert len(log.read_text().splitlines()) == 3


def test_bad_line_is_named(log) -> None:
    log_erasures([Erasure("a", NOW)])
    log.write_text(log.read_text() + "no erasure\n")

    with pytest.raises(ValueError, match="line 2: must be an erasure as JSON, got 'no erasure'"):
        read_erasures([log])
