"""Tests of the scripts: their arguments, and that captioners accept the settings."""

import json
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.captioning import diversity, generators, ice
from captioning.runtime import load_captioners
from captioning.training.settings import TrainingSettings
from metrics_plugins.runtime import load_registry


@pytest.mark.parametrize("script", ["ice", "diversity", "truth_reward", "generators", "decoding"])
def test_scripts_say_what_they_take(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [f"{script}.py", "--help"])

    with pytest.raises(SystemExit) as stopped:
        import_module(f"benchmarks.captioning.{script}").main()

    shown = capsys.readouterr().out
    assert stopped.value.code == 0
    assert "--folder" in shown
    assert "(default: <" not in shown


def test_the_published_report_is_of_the_default_sizes():
    written = json.loads((Path(diversity.__file__).parent / "diversity.json").read_text())

    assert written["sizes"] == asdict(diversity.Sizes())
    assert set(diversity.ADJUSTABLE) <= set(written["sizes"])


@pytest.mark.parametrize("name", diversity.METHODS)
def test_methods_are_settings_of_training(name):
    settings = TrainingSettings.of({**diversity.METHODS[name], "objective_steps": 1, "steps": 0})

    assert settings.objective == diversity.METHODS[name]["objective"]


def test_captioners_and_metrics_are_installed():
    captioners = {each.info.id for each in load_captioners()}

    assert {diversity.CAPTIONER, ice.FIRST, ice.SECOND, *generators.TRAIN_WITH} <= captioners
    assert {*diversity.BEST_METRICS, *ice.NAMES.values()} <= {each.info.id for each in load_registry()}
