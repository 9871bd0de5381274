"""Tests of the measurement of an encoder's limits, here on the CPU."""

import pytest

from benchmarks.critics.encoder_limit import count_operations, measure_limit, name_limit
from metrics_plugins.encoders.caching.disk import FOLDER_VARIABLE
from metrics_plugins.runtime import load_registry

LIMITS = ((0.3, 0.2, "the host"), (0.9, 0.6, "matrix products"), (0.9, 0.2, "memory and"))


def test_limit_of_a_few_captions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)

    found = measure_limit([f"a dog runs {number} times" for number in range(40)], device="cpu", precision="float32")

    assert min(found["captions_per_s"], found["tflops"], found["tflops_of_products"], found["busy"]) > 0
    assert found["of_best"] == pytest.approx(found["tflops"] / found["tflops_of_products"], rel=0.02)
    assert found["limit"] in {name_limit(busy=busy, of_best=of_best) for busy, of_best, _ in LIMITS}


def test_operations_of_minilm() -> None:
    # 6 layers of 384 and 1,536 numbers; a caption of 3 words has 5 tokens, and the same again costs nothing.
    products = 6 * 5 * 2 * (4 * 384 * 384 + 2 * 384 * 1536)
    attention = 6 * 4 * 384 * 5**2

    operations = count_operations(load_registry().get_encoder("minilm"), ["a dog runs", "a dog runs"])

    assert operations == products + attention


@pytest.mark.parametrize(("busy", "of_best", "limit"), LIMITS)
def test_limit_has_a_name(busy: float, of_best: float, limit: str) -> None:
    assert name_limit(busy=busy, of_best=of_best).startswith(limit)
