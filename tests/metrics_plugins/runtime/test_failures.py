"""Tests of explaining exceptions of plugins: the author's lines and the row."""

from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from execution.factory import make_executor
from execution.outstanding import OutstandingCalls
from metrics_plugins.api import Batch, Metric, MetricInfo, Scores
from metrics_plugins.api.errors import BadScores
from metrics_plugins.runtime import run_metric
from metrics_plugins.runtime.failures import (
    ToldOnce,
    describe_row,
    explain_failure,
    explain_import,
    find_row,
    list_own_lines,
)
from metrics_plugins.runtime.plugin_files import import_plugin_file
from tests.metrics_plugins.api.examples import make_info

BATCH = Batch.make(
    ["x", "y", "z", "w"],
    candidates=["a cat", "a dog", "three", "a cow"],
    references=[["a cat"], ["a cat"], ["a cat"], ["a cat"]],
)


def _divide(words: list[str]) -> float:
    return 1 / (len(words) - 1)


class Dividing(Metric):
    info: ClassVar[MetricInfo] = make_info("dividing", bounds=(-np.inf, np.inf))

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [_divide(each.split()) for each in batch.candidates])


def _fail_at(_: None, metric: Metric) -> Scores:
    return metric.score(BATCH)


def _fail(metric: Metric, batch: Batch = BATCH) -> Exception:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - its kind is not of interest
        run_metric(metric, batch, rng=np.random.default_rng(0))
    return raised.value


def test_lines_of_the_author_are_told_innermost_first_and_no_others() -> None:
    told = explain_failure(_fail(Dividing()), module=__name__).split("\n")

    assert told[0] == "ZeroDivisionError: division by zero"
    assert [line.partition(", line ")[0] for line in told[1:]] == ["  at test_failures.py"] * len(told[1:])
    assert "in _divide: return 1 / (len(words) - 1)" in told[1]
    assert "in score: return Scores.make(" in told[2]


def test_lines_of_executors_are_not_the_author_s() -> None:
    with OutstandingCalls(make_executor("inline"), _fail_at, shared=None) as calls:
        calls.submit(Dividing())
        error = calls.take()[1].exception()

    assert error is not None
    places = [line.partition(", line ")[0] for line in list_own_lines(error, module="outside")]
    assert set(places) == {"test_failures.py"}


def test_row_is_found_and_noted() -> None:
    error = _fail(Dividing())

    assert find_row(error) == 2
    assert error.__notes__ == ["on row 3 of 4: key 'z', caption 'three'"]


def test_no_row_is_blamed_if_the_rows_fail_only_together() -> None:
    class Together(Metric):
        info: ClassVar[MetricInfo] = make_info("together")

        def score(self, batch: Batch) -> Scores:
            if len(batch) > 2:
                raise RuntimeError("too many")
            return Scores.make(batch.keys, [1.0] * len(batch))

    assert find_row(_fail(Together())) is None


@pytest.mark.parametrize(("value", "came"), [("good", "str 'good'"), (None, "NoneType"), ([1.0], r"list \[1.0\]")])
def test_wrong_type_of_a_value_is_told_with_its_key(value: object, came: str) -> None:
    with pytest.raises(BadScores, match=rf"^the score for key 'y' must be a number .*, got {came}$") as raised:
        Scores.make(["x", "y"], [0.5, value])  # type: ignore[list-item]

    assert raised.value.row == 1


def test_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "failing_syntax.py"
    path.write_text("first = 1\nsecond = first +\n")
    error = SyntaxError("invalid syntax", (str(path), 2, 17, "second = first +\n"))

    assert explain_import(error, module="failing_syntax") == (
        "SyntaxError: invalid syntax\n  at failing_syntax.py, line 2: second = first +"
    )


def test_error_inside_a_library_shows_the_line_that_called_it(tmp_path: Path) -> None:
    path = tmp_path / "failing_library.py"
    path.write_text("import json\n\n\ndef read():\n    return json.loads('{')\n")
    module = import_plugin_file(path)

    with pytest.raises(ValueError, match="Expecting") as raised:
        module.read()

    lines = explain_failure(raised.value, module="failing_library").split("\n")[1:]
    assert [line for line in lines if "test_failures" not in line] == [
        "  at failing_library.py, line 5, in read: return json.loads('{')"
    ]


def test_row_is_described_with_its_system() -> None:
    assert describe_row(BATCH, 0, system="s") == "row 1 of 4: key 'x', system 's', caption 'a cat'"


def test_message_is_told_once_on_whatever_row() -> None:
    told = ToldOnce()

    messages = [told.shorten(f"fails\n  at a.py, line 1\n  on row {row}", check=f"check-{row}") for row in (1, 2)]

    assert messages[1] == "as check-1"
    assert told.shorten("", check="check-3") == ""
