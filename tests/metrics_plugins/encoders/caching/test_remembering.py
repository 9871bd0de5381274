"""Tests that each distinct input is computed once, by any process."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.encoders.caching.memory import open_memory
from metrics_plugins.encoders.caching.remembering import encode_remembered, remember


class Lengths:
    """Gives each key its length, and tells what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, keys: Sequence[str]) -> np.ndarray:
        self.asked.append(list(keys))
        return np.array([[len(key), 1.0] for key in keys], dtype=np.float32)


def _encode(lengths: Lengths, keys: Sequence[str], *, digest: str = "d") -> list[float]:
    return encode_remembered(keys, digest=digest, dimension=2, compute=lengths)[:, 0].tolist()


def test_equal_keys_are_computed_once() -> None:
    lengths = Lengths()

    assert _encode(lengths, ["a", "bb", "a", "bb", ""]) == [1, 2, 1, 2, 0]
    assert _encode(lengths, ["bb", "ccc"]) == [2, 3]
    assert lengths.asked == [["a", "bb", ""], ["ccc"]]


def test_encoders_do_not_share() -> None:
    lengths = Lengths()
    _encode(lengths, ["a"], digest="d")
    _encode(lengths, ["a"], digest="e")

    assert lengths.asked == [["a"], ["a"]]


def test_no_inputs_give_an_empty_array() -> None:
    assert encode_remembered([], digest="d", dimension=2, compute=Lengths()).shape == (0, 2)


def test_vectors_on_disk_persist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDANCE_EMBEDDINGS", str(tmp_path))
    lengths = Lengths()
    keys = ["a", "lone \ud800", "bb"]

    first = _encode(lengths, keys)
    open_memory.cache_clear()

    assert _encode(lengths, [*keys, "new"]) == [*first, 3]
    assert lengths.asked == [keys, ["new"]]


def test_a_run_that_breaks_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDANCE_EMBEDDINGS", str(tmp_path))
    keys = [str(number) for number in range(10_000)]
    lengths = Lengths()

    def break_off(asked: Sequence[str]) -> np.ndarray:
        if lengths.asked:
            raise KeyboardInterrupt
        return lengths(asked)

    with pytest.raises(KeyboardInterrupt):
        encode_remembered(keys, digest="d", dimension=2, compute=break_off)
    open_memory.cache_clear()
    _encode(lengths, keys)

    assert lengths.asked == [keys[:8192], keys[8192:]]


def test_results_are_not_what_is_remembered() -> None:
    lengths = Lengths()
    encode_remembered(["a"], digest="d", dimension=2, compute=lengths)[:] = 7

    assert _encode(lengths, ["a"]) == [1]


def test_what_came_along_is_not_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDANCE_EMBEDDINGS", str(tmp_path))
    lengths = Lengths()

    remember(["a", "bb"], np.array([[1, 1], [2, 1]], dtype=np.float32), digest="d")

    assert _encode(lengths, ["bb", "a"]) == [2, 1]
    # Neither is it computed by the next process.
    open_memory.cache_clear()
    assert _encode(lengths, ["bb", "a", "ccc"]) == [2, 1, 3]
    assert lengths.asked == [["ccc"]]
