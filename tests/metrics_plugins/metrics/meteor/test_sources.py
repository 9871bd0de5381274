"""Tests of finding the data of METEOR, and of the errors if they are missing."""

import sys
from pathlib import Path

import pytest

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.meteor.sources import find_sources
from tests.metrics_plugins.metrics.meteor.scoring import score
from tests.metrics_plugins.metrics.meteor.tiny import PARAPHRASES, SYNSETS, write_sources


def test_tiny_files_are_read_back_unchanged(tmp_path: Path) -> None:
    sources = write_sources(tmp_path)

    assert sources.read_synsets() == SYNSETS
    assert sources.read_bases() == {"geese": ["goose"], "brought": ["bring"], "flew": ["fly"], "flies": ["fly"]}
    assert sources.read_function_words() == ["a", "the", "."]
    assert sources.read_prefixes() == ["Dr", "No #NUMERIC_ONLY#"]
    assert [(one.decode(), other.decode()) for one, other in sources.iterate_paraphrases()] == PARAPHRASES


def test_digest_follows_the_content(tmp_path: Path) -> None:
    first, second = write_sources(tmp_path / "first"), write_sources(tmp_path / "second")
    assert first.read_digest() == second.read_digest()

    table = second.folder / "data" / "paraphrase-en.gz"
    table.write_bytes(table.read_bytes()[:-1] + b"\1")
    assert first.read_digest() != second.read_digest()


def test_installed_data() -> None:
    sources = find_sources()

    assert len(sources.read_function_words()) == 93
    assert next(sources.iterate_paraphrases()) == (b"00", b"000")


def test_missing_package_is_named_when_scores_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    # What Python itself takes for a package that is not there.
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)

    message = r"metric 'meteor' .* pycocoevalcap is not installed: .* -m pip install .*\[meteor\]'"
    with pytest.raises(MissingResource, match=message):
        score([("a dog", ["a dog"])])


def test_package_without_its_files_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pycocoevalcap").mkdir()
    (tmp_path / "pycocoevalcap" / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "pycocoevalcap", raising=False)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(MissingResource, match=r"meteor has no meteor-1\.5\.jar and data/paraphrase-en\.gz"):
        find_sources()
