"""Tests of programs as metrics: scores, and errors of misbehaving programs."""

import math
import multiprocessing
import pickle
import re
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from metrics_plugins.adapters import CommandFailed, adapt_command
from metrics_plugins.api import Batch, Metric
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.runtime.checks import CheckCase, parametrize_with_checks
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin
from tests.running_processes import is_running

ANSWER = """
import json, os, sys, time
power = float(sys.argv[1].removeprefix("--power=")) if len(sys.argv) > 1 else 1.0
def answer(score): print(json.dumps({"id": question["id"], "score": score}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    words = question["candidate"].split()
"""
# The share of words that stand in a reference; null without words.
OVERLAP = (
    ANSWER
    + """
    known = " ".join(question["references"]).split()
    answer((sum(word in known for word in words) / len(words)) ** power if words else None)
"""
)
BATCH = Batch.make(
    ["w", "x", "y", "z"],
    candidates=["a dog runs", "", "a cat", 'é "\\\u2028\ud800'],
    references=[["the dog", "it runs"], ["a"], [], ["é\n"]],
)


def adapt(code: str, *, options: dict | None = None, arguments: Sequence[str] = (), **more: object) -> type[Metric]:
    return adapt_command(
        arguments or [sys.executable, "-c", code],
        id="program",
        title="A program",
        bounds=(-1000.0, 1000.0),
        higher_is_better=True,
        citation="This test",
        version="1",
        options=options,
        **more,
    )


def build(code: str, **more: object) -> Metric:
    return load_registry([ExamplePlugin(adapt(code, **more))], INSTALLED_PLUGINS).build("program")


def score(metric: Metric, batch: Batch = BATCH) -> list[float]:
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values.tolist()


REGISTRY = load_registry([ExamplePlugin(adapt(OVERLAP, options={"power": 1.0}))], INSTALLED_PLUGINS)


@parametrize_with_checks(["program"], registry=REGISTRY)
def test_contract(check: CheckCase) -> None:
    check()


def test_scores_and_options() -> None:
    metric = REGISTRY.build("program", power=2.0)

    assert str(metric.signature) == "program|power:2|v:1"
    assert score(metric) == pytest.approx([4 / 9, math.nan, math.nan, 1 / 9], nan_ok=True)


def test_program_starts_once_and_only_when_it_is_asked() -> None:
    metric = build(ANSWER + "    answer(os.getpid() % 1000)")

    assert metric._program is None
    first = score(metric)
    assert score(metric) == pytest.approx(first, nan_ok=True)
    nothing = Batch.make(["x"], candidates=["a"], references=[[]])
    assert score(build("raise SystemExit"), nothing) == pytest.approx([math.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("code", "came"),
    [
        ("print('score: 1', flush=True)", "'score: 1'"),
        ("print('[0, 1]', flush=True)", "'[0, 1]'"),
        ("print(json.dumps({'id': 7, 'score': 1}), flush=True)", '{"id": 7, "score": 1}'),
        ("print(json.dumps({'id': False, 'score': 1}), flush=True)", '{"id": false, "score": 1}'),
        ("print(json.dumps({'id': 0}), flush=True)", '{"id": 0}'),
        ("answer(float('nan'))", '{"id": 0, "score": NaN}'),
        ("answer(float('inf'))", '{"id": 0, "score": Infinity}'),
        ('print(\'{"id": 0, "score": 1e999}\', flush=True)', '{"id": 0, "score": 1e999}'),
        ("answer(10**400)", '{"id": 0, "score": 1000'),
        ("answer(True)", '{"id": 0, "score": true}'),
        ("answer('1')", '{"id": 0, "score": "1"}'),
        ("print('[' * 100_000, flush=True)", "'[[["),
    ],
)
def test_wrong_answers(code: str, came: str) -> None:
    metric = build(ANSWER + f"    {code}")
    message = (
        "must answer one line, a JSON object with the `id` that was sent and a finite `score` (or null), but answered "
    )

    with pytest.raises(CommandFailed, match=re.escape(message)) as caught:
        score(metric)
    assert came in str(caught.value)
    assert 'it was sent {"id": 0, "candidate": "a dog runs", "references": ["the dog", "it runs"]}' in str(caught.value)


def test_crash_says_what_was_sent_and_what_it_wrote_to_standard_error() -> None:
    metric = build(ANSWER + "    answer(1 / len(words))")

    with pytest.raises(CommandFailed) as caught:
        score(metric)

    message = str(caught.value)
    assert message.startswith(f"metric 'program': {sys.executable} -c ")
    assert 'ended with exit code 1 before it answered; it was sent {"id": 1, "candidate": "", "references": ["a"]}' in (
        message
    )
    assert message.endswith("ZeroDivisionError: division by zero")


def test_restarts_cleanly_after_a_failure(tmp_path: Path) -> None:
    flag = tmp_path / "failed"
    metric = build(
        ANSWER + f"    if os.path.exists({str(flag)!r}): answer(1)\n"
        f"    else: open({str(flag)!r}, 'w').close(); print('late answer', flush=True); time.sleep(60)"
    )

    with pytest.raises(CommandFailed, match="late answer"):
        score(metric)
    assert score(metric) == pytest.approx([1.0, 1.0, math.nan, 1.0], nan_ok=True)


@pytest.mark.parametrize(
    ("code", "limits", "sent"),
    [
        ("    time.sleep(60 * len(words))", {"start_seconds": 0.5, "line_seconds": 0.2}, "a dog runs"),
        ("    time.sleep(60 * (not words)); answer(1)", {"line_seconds": 0.3}, ""),
    ],
    ids=["start", "line"],
)
def test_time_limits(code: str, limits: dict, sent: str) -> None:
    metric = build(ANSWER + code, **limits)
    began = time.monotonic()

    with pytest.raises(CommandFailed, match=r"wrote no complete line within") as caught:
        score(metric)
    assert f'"candidate": "{sent}"' in str(caught.value)
    assert time.monotonic() - began < 20


def test_time_limit_of_a_batch() -> None:
    metric = build(ANSWER + "    time.sleep(0.2); answer(1)", start_seconds=1, line_seconds=60, batch_seconds=1)
    batch = Batch.make(map(str, range(100)), candidates=["a"] * 100, references=[["a"]] * 100)
    began = time.monotonic()

    with pytest.raises(CommandFailed, match=r"wrote no complete line within"):
        score(metric, batch)
    assert time.monotonic() - began < 10


def test_slow_start_is_no_slow_answer() -> None:
    metric = build("import time; time.sleep(1)\n" + ANSWER + "    answer(1)", start_seconds=30, line_seconds=0.9)

    assert score(metric)[0] == 1.0


def test_long_question_is_cut_in_the_message() -> None:
    metric = build("raise SystemExit(4)")
    batch = Batch.make(["x"], candidates=["a" * 100_000], references=[["b"]])

    with pytest.raises(CommandFailed, match=r"a\.\.\. \(100\d\d\d characters\)") as caught:
        score(metric, batch)
    assert len(str(caught.value)) < 1000


def test_missing_program_and_wrong_command() -> None:
    with pytest.raises(MissingResource, match=r"metric 'program' cannot start '/nowhere/program': No such file"):
        score(build("", arguments=["/nowhere/program"]))
    with pytest.raises(ValueError, match=r"must be a list: a program and its arguments, got 'java -jar x\.jar'"):
        adapt("", arguments="java -jar x.jar")


def _score_in_worker(metric: Metric) -> tuple[list[float], int]:
    values = score(metric)
    return values, metric._program._process.pid


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_goes_to_worker_processes_and_ends_with_them(method: str) -> None:
    metric = build(OVERLAP)
    expected = score(metric)

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        results = [pool.submit(_score_in_worker, metric).result() for _ in range(2)]

    assert [values for values, _ in results] == [pytest.approx(expected, nan_ok=True)] * 2
    # Each arrives as a metric of its own, with a program of its own, which ends with the worker at the latest.
    pids = {pid for _, pid in results}
    assert metric._program._process.pid not in pids
    end = time.monotonic() + 10
    while any(map(is_running, pids)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(is_running, pids))
    assert score(metric) == pytest.approx(expected, nan_ok=True)


def test_threads_take_turns() -> None:
    metric = build(OVERLAP)
    expected, found = score(metric), []

    threads = [Thread(target=lambda: found.append(score(metric))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [pytest.approx(expected, nan_ok=True)] * 4


def test_pickle_leaves_the_program_behind() -> None:
    metric = build(OVERLAP)
    score(metric)

    arrived = pickle.loads(pickle.dumps(metric))  # noqa: S301

    assert arrived._program is None
    assert score(arrived) == pytest.approx(score(metric), nan_ok=True)
