"""Tests of the memory cache, which has a limit and evicts the oldest entries first."""

import numpy as np

from metrics_plugins.encoders.caching.memory import Memory, open_memory


def _memory(n_values: int) -> Memory[np.ndarray]:
    # 400 bytes of numbers and 400 for what is around them.
    return Memory(max_bytes=800 * n_values)


def _value(number: int) -> np.ndarray:
    return np.full(100, number, dtype=np.float32)


def test_stored_values_are_found() -> None:
    memory = _memory(2)
    memory.put("a", _value(1))

    found = memory.get("a")

    assert found is not None
    np.testing.assert_array_equal(found, _value(1))
    assert memory.get("b") is None


def test_what_was_not_asked_for_longest_is_forgotten() -> None:
    memory = _memory(2)
    memory.put("a", _value(1))
    memory.put("b", _value(2))
    memory.get("a")
    memory.put("c", _value(3))

    assert [key for key in "abc" if memory.get(key) is not None] == ["a", "c"]
    assert (len(memory), memory.n_bytes) == (2, 1600)


def test_a_value_put_again_counts_once() -> None:
    memory = _memory(2)
    memory.put("a", _value(1))
    memory.put("a", _value(2))

    assert (len(memory), memory.n_bytes) == (1, 800)


def test_a_value_too_large_is_not_kept() -> None:
    memory = Memory[np.ndarray](max_bytes=100)
    memory.put("a", _value(1))

    assert (len(memory), memory.n_bytes) == (0, 0)


def test_there_is_one_for_the_process() -> None:
    assert open_memory() is open_memory()
