"""Tests that TF32 is disabled temporarily and the previous setting restored; no GPU is needed."""

from collections.abc import Callable, Iterator

import pytest
import torch

from metrics_plugins.encoders.full_precision import hold_full_precision

CUDNN, MATMUL = torch.backends.cudnn, torch.backends.cuda.matmul
SETTINGS: tuple[Callable[[], object], ...] = (
    lambda: MATMUL.allow_tf32,
    lambda: CUDNN.allow_tf32,
    torch.get_float32_matmul_precision,
    *(lambda name=name: find_switch(name).fp32_precision for name in ("rnn", "conv", "matmul", "processor", "all")),
)
HELD = [False, False]


def find_switch(name: str) -> object:
    """Return what holds a setting of its own, in a version of torch that has these."""
    backends = torch.backends
    return {
        "rnn": getattr(CUDNN, "rnn", None),
        "conv": getattr(CUDNN, "conv", None),
        "matmul": MATMUL,
        "processor": getattr(backends.mkldnn, "matmul", None),
        "all": backends,
    }[name]


def read_settings() -> list[object]:
    found = []
    for read in SETTINGS:
        try:
            found.append(read())
        except RuntimeError:
            found.append("contradiction")
        except AttributeError:
            found.append("not in this version")
    return found


@pytest.fixture(autouse=True)
def _keep_settings() -> Iterator[None]:
    kept = read_settings()
    yield
    if hasattr(torch.backends, "fp32_precision"):
        torch.backends.fp32_precision = "none"
    torch.set_float32_matmul_precision("highest")
    CUDNN.allow_tf32 = True
    for name, value in zip(("rnn", "conv", "matmul", "processor"), kept[3:7], strict=True):
        if hasattr(find_switch(name), "fp32_precision"):
            find_switch(name).fp32_precision = value
    assert read_settings() == kept


def as_it_comes() -> None:
    """Leave everything: cuDNN may use TF32."""


def allow_products() -> None:
    MATMUL.allow_tf32 = True


def allow_less() -> None:
    torch.set_float32_matmul_precision("medium")


def forbid_cudnn() -> None:
    CUDNN.allow_tf32 = False


def allow_all() -> None:
    torch.backends.fp32_precision = "tf32"


@pytest.mark.parametrize("choose", [as_it_comes, allow_products, allow_less, forbid_cudnn, allow_all])
def test_settings_are_held_and_set_again(choose: Callable[[], None]) -> None:
    choose()
    before = read_settings()

    with hold_full_precision("cuda:1"):
        assert read_settings()[:2] == HELD
        # None of them says "none", for then what is set for all would count.
        assert set(read_settings()[3:6]) <= {"ieee", "not in this version"}

    assert read_settings() == before


@pytest.mark.skipif(not hasattr(CUDNN, "rnn"), reason="this torch has one setting for all of cuDNN")
def test_settings_of_parts_are_set_again() -> None:
    CUDNN.rnn.fp32_precision = "ieee"
    before = read_settings()
    assert before[1] == "contradiction"

    with hold_full_precision("cuda"):
        assert read_settings()[:2] == HELD

    assert read_settings() == before


def test_the_last_that_is_done_sets_them_again() -> None:
    before = read_settings()
    first, second = hold_full_precision("cuda:0"), hold_full_precision("cuda:1")

    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert read_settings()[:2] == HELD
    second.__exit__(None, None, None)

    assert read_settings() == before


def test_an_error_sets_them_again() -> None:
    before = read_settings()

    with pytest.raises(ValueError, match="short"), hold_full_precision("cuda"):
        raise ValueError("short")

    assert read_settings() == before


def test_other_devices_touch_nothing() -> None:
    before = read_settings()

    with hold_full_precision("cpu"):
        assert read_settings() == before
