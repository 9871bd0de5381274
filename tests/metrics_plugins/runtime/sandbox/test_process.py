import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime.sandbox import ChildFailed, ChildStopped, SandboxLimits, SandboxProcess
from tests.running_processes import is_running, wait_until_gone

MEBIBYTE = 1024 * 1024
QUIET = SandboxLimits(seconds=60, memory=512 * MEBIBYTE, printed=4 * MEBIBYTE)
BATCH = Batch.make(["first", "second"], candidates=["one", "two words"])

pytestmark = pytest.mark.usefixtures("_hostile")


@pytest.fixture
def process():
    with SandboxProcess(QUIET) as process:
        assert process.ask("load", outside=True).error == ""
        yield process


def score(process, metric, **limits):
    assert process.ask("prepare", metric=metric).error == ""
    process.ask("batch", blob=pickle.dumps(BATCH))
    return process.ask("score", metric=metric, **limits)


def test_scores_come_back(process):
    reply = score(process, "polite")

    assert reply.fields["n_values"] == 2
    assert reply.fields["peak_memory"] > 1024**2
    assert np.frombuffer(reply.blob, dtype="<f8").tolist() == [1.0, 2.0]
    assert 0 < reply.seconds < 60


def test_statistics_come_behind_the_scores(process):
    assert process.ask("prepare", metric="bleu-1").fields["signature"].startswith("bleu-1|")
    rows = Batch.make(["key"], candidates=["a dog"], references=[["a dog"]])
    process.ask("batch", blob=pickle.dumps(rows))

    reply = process.ask("score", metric="bleu-1")

    assert reply.fields["statistics"] == [1, 4]
    numbers = np.frombuffer(reply.blob, dtype="<f8")
    assert len(numbers) == 5
    assert numbers[0] == pytest.approx(1.0)


def test_a_metric_that_learns_is_fitted_on_documents(process):
    rows = Batch.make(["a", "b"], candidates=["a dog", "two cats"], references=[["a dog runs"], ["two cats"]])
    process.ask("prepare", metric="cider-d")
    process.ask("documents", blob=pickle.dumps(rows))
    assert process.ask("fit", metric="cider-d").error == ""
    process.ask("batch", blob=pickle.dumps(rows))

    reply = process.ask("score", metric="cider-d")

    assert reply.error == ""
    assert np.frombuffer(reply.blob[:16], dtype="<f8").min() > 0


def test_what_a_metric_raises_is_an_answer_and_the_process_goes_on(process):
    assert score(process, "wrong-keys").error == (
        "metric 'wrong-keys' must return the keys of its batch in order, got 'row 0' for row 0, whose key is 'first'"
    )
    assert score(process, "out-of-bounds").error == (
        "metric 'out-of-bounds' declares bounds [0.0, 1000.0], but gave -1.0 for key 'first' (2 such rows)"
    )
    refused = process.ask("prepare", metric="takes-parameters", params={"plus": -1})
    assert refused.error.startswith("ValueError: plus must not be negative, got -1\n  at ")
    assert score(process, "polite").error == ""


def test_nan_is_returned_unchanged(process):
    assert np.isnan(np.frombuffer(score(process, "always-nan").blob, dtype="<f8")).tolist() == [True, True]


def test_an_endless_loop_is_ended(process):
    with pytest.raises(ChildFailed) as failed:
        score(process, "loops-forever", seconds=0.5)

    assert failed.value.reason == "it took longer than the 0.5 s allowed and was ended"
    assert not is_running(process.pid)


def test_memory_is_refused(process):
    reply = score(process, "eats-memory")

    assert reply.error.startswith("MemoryError: not enough memory within its limit")
    assert reply.fields["broken"] is True


def test_memory_that_no_limit_of_the_system_counts_is_seen(process):
    with pytest.raises(ChildFailed, match=r"^it held [\d,]+ MiB of memory, more than the 512 MiB allowed, and was end"):
        score(process, "maps-memory")


def test_a_crash_is_told_by_its_signal(process):
    with pytest.raises(ChildFailed) as failed:
        score(process, "segfaults")

    assert failed.value.reason == "its process was ended by SIGSEGV (Segmentation fault)"


def test_an_exit_is_told_with_what_was_printed(process):
    with pytest.raises(ChildFailed) as failed:
        score(process, "leaves")

    assert str(failed.value) == "its process ended itself with exit code 3; it had printed: no licence"


def test_a_gigabyte_of_printing_is_thrown_away_and_ended(process):
    with pytest.raises(ChildFailed) as failed:
        score(process, "prints")

    assert failed.value.reason == "it printed more than 4 MiB and was ended"
    assert len(str(failed.value)) < 3300
    assert "bytes ...]" in failed.value.output


def test_printing_below_the_limit_stays_out_of_the_answer():
    with SandboxProcess(SandboxLimits(seconds=120, printed=2048 * MEBIBYTE)) as process:
        process.ask("load", outside=True)

        reply = score(process, "prints")

    assert np.frombuffer(reply.blob, dtype="<f8").tolist() == [1.0, 2.0]


def test_whoever_asks_can_stop_it(process):
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 1

    with pytest.raises(ChildStopped):
        score(process, "loops-forever", stop=stop)

    assert not is_running(process.pid)


def test_a_process_that_was_killed_is_told_of(process):
    os.kill(process.pid, signal.SIGKILL)

    with pytest.raises(ChildFailed, match=r"^its process was ended by SIGKILL \(Killed\)$"):
        process.ask("score", metric="polite")


PROGRAM = """
import sys
from metrics_plugins.runtime.sandbox import SandboxLimits, SandboxProcess
process = SandboxProcess(SandboxLimits())
process.ask("load", outside=True)
process.ask("prepare", metric="loops-forever")
sys.stdout.write(f"{process.pid}\\n")
sys.stdout.flush()
import pickle
from metrics_plugins.api import Batch
process.ask("batch", blob=pickle.dumps(Batch.make(["key"], candidates=["caption"])))
process.ask("score", metric="loops-forever")
"""


def test_a_busy_process_ends_with_whoever_guards_it(installed_hostile_plugins):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), str(installed_hostile_plugins)])}
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as guard:
        child = int(guard.stdout.readline())
        guard.kill()
        guard.wait()

        assert wait_until_gone([child]) == []


@pytest.mark.parametrize(("name", "value"), [("seconds", 0), ("printed", 0), ("memory", -1)])
def test_limits_are_checked(name, value):
    with pytest.raises(ValueError, match=f"`{name}`"):
        SandboxLimits(**{name: value})
