"""Tests of `check`, which prints a line per check and fails if one fails."""

from pathlib import Path

import pytest

from metrics_plugins.cli.checking import check
from metrics_plugins.metrics.embedding.plugin import CLIP_VARIABLE
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks import CHECKS
from tests.metrics_plugins.cli.running import run_program
from tests.metrics_plugins.encoders.tiny import open_shared_clip


@pytest.mark.parametrize("metric", list(load_registry().metrics))
def test_bundled_metrics_pass(metric: str, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    # All checks of every metric: the tests of the metrics themselves do not run them again.
    monkeypatch.setenv(CLIP_VARIABLE, str(open_shared_clip()))

    assert check(metric) == 0

    *lines, last = capsys.readouterr().out.splitlines()
    names = [line.removeprefix("ok").split(":")[0].strip() for line in lines]
    assert names == [check.name for check in CHECKS if check.name in names]
    assert last == f"{len(lines)} of {len(lines)} checks passed"


def test_missing_weights_are_said_once(tmp_path: Path) -> None:
    result = run_program("check", "clip-score", folder=tmp_path, **{CLIP_VARIABLE: ""})

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("the weights of a CLIP are not installed") == 1


def test_failing_check_is_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "own_plugin.py").write_text(
        "from metrics_plugins.api import *\n"
        "class Wrong(Metric):\n"
        "    info = MetricInfo(id='wrong', title='Wrong', level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),\n"
        "        higher_is_better=True, bounds=(0.0, 1.0), version='1', citation='none')\n"
        "    def score(self, batch):\n"
        "        return Scores.make(batch.keys, [2.0] * len(batch))\n"
        "@hookimpl\n"
        "def register_metrics():\n"
        "    return [Wrong]\n"
    )
    metadata = tmp_path / "own_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: own-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[accordance]\nown = own_plugin\n")

    result = run_program("check", "wrong", folder=tmp_path, PYTHONPATH=str(tmp_path))

    lines = result.stdout.splitlines()
    failed = [line for line in lines if line.startswith("FAILED")]
    assert (result.returncode, result.stderr) == (1, "")
    assert failed[0] == (
        "FAILED  within-bounds: metric 'wrong' declares bounds [0.0, 1.0], but gave 2.0 for key 'image-1' (5 such rows)"
    )
    assert lines[-2].startswith("warning card: there is none")
    n_checks = len(lines) - 2
    assert lines[-1] == f"{n_checks - len(failed)} of {n_checks} checks passed"
