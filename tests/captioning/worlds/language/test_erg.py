"""Tests of the errors if ACE or a grammar image is missing."""

import re
from pathlib import Path

import pytest

from captioning.worlds.errors import MissingGrammar
from captioning.worlds.language.erg import count_erg_readings
from metrics_plugins.api.resources import install_extras


def test_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        MissingGrammar, match=r"the program 'no-such-ace' \(ACE\) is not on this machine; it is at http"
    ):
        count_erg_readings(["a shape is red ."], image=tmp_path / "erg.dat", executable="no-such-ace")


def test_missing_image_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingGrammar, match=r"erg\.dat: no such grammar image"):
        count_erg_readings(["a shape is red ."], image=tmp_path / "erg.dat", executable="cat")


def test_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # None in sys.modules is how Python itself marks a module that cannot be imported.
    monkeypatch.setitem(__import__("sys").modules, "delphin", None)

    with pytest.raises(MissingGrammar, match=re.escape(f"needs pydelphin: {install_extras('erg')}")):
        count_erg_readings([], image=tmp_path / "erg.dat")
