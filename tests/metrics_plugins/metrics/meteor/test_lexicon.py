"""Tests of the lexicon and of its files."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.metrics.meteor.lexicon import Lexicon, load_lexicon
from tests.metrics_plugins.metrics.meteor.tiny import write_sources


@pytest.mark.parametrize(
    ("word", "synsets"),
    [
        ("dog", {1, 2}),
        ("dogs", {1, 2}),
        ("geese", {3}),
        ("churches", {4}),
        ("brought", {5}),
        ("bringing", {5}),
        ("flies", {6}),  # an irregular form by the list, which comes before the rules
        ("fleecing", {7}),
        ("dogss", set()),
        ("cat", set()),
        ("", set()),
    ],
)
def test_synsets_of_forms(lexicon: Lexicon, word: str, synsets: set[int]) -> None:
    assert lexicon.find_synsets(word) == synsets


def test_the_lexicon_has_the_function_words_and_abbreviations(lexicon: Lexicon) -> None:
    assert lexicon.function_words == {"a", "the", "."}
    assert lexicon.prefixes == {"Dr": False, "No": True}


@pytest.fixture
def tiny_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_sources(tmp_path / "packages" / "pycocoevalcap" / "meteor")
    (tmp_path / "packages" / "pycocoevalcap" / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "pycocoevalcap", raising=False)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    return tmp_path


@pytest.mark.parametrize(("variable", "folder"), [("ACCORDANCE_CACHE", "kept"), ("XDG_CACHE_HOME", "kept/accordance")])
def test_files_are_made_once_in_the_cache_folder(
    variable: str, folder: str, tiny_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACCORDANCE_CACHE", raising=False)
    monkeypatch.setenv(variable, str(tiny_package / "kept"))

    first = load_lexicon()

    (made,) = (tiny_package / folder).iterdir()
    assert made.name.startswith("meteor-1-")
    assert isinstance(first.node_keys, np.memmap)
    assert load_lexicon() is first


def test_another_process_reads_the_files(tiny_package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDANCE_CACHE", str(tiny_package / "kept"))
    load_lexicon()
    (made,) = (tiny_package / "kept").iterdir()
    times = sorted(file.stat().st_mtime_ns for file in made.iterdir())

    program = "from metrics_plugins.metrics.meteor import lexicon; print(lexicon.load_lexicon().find_synsets('geese'))"
    path = f"import sys; sys.path.insert(0, {str(tiny_package / 'packages')!r}); "
    printed = subprocess.run([sys.executable, "-c", path + program], capture_output=True, text=True, check=True)

    assert printed.stdout == "{3}\n"
    assert sorted(file.stat().st_mtime_ns for file in made.iterdir()) == times


def test_broken_data_leave_nothing_behind(tiny_package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDANCE_CACHE", str(tiny_package / "kept"))
    table = tiny_package / "packages" / "pycocoevalcap" / "meteor" / "data" / "paraphrase-en.gz"
    table.write_bytes(table.read_bytes()[:-12] + bytes(12))

    with pytest.raises(Exception, match=r"CRC|decompress"):
        load_lexicon()

    assert list((tiny_package / "kept").iterdir()) == []
