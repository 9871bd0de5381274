"""Force full float32 precision on GPUs, where torch allows less.

By default torch lets cuDNN compute LSTMs and convolutions in TF32, which has a 10-bit mantissa instead of float32's 23
bits, and programs may allow it for matrix products too. Scores would then differ from those on the CPU in the fourth
digit, and depend on other settings in the process.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

_LOCK: Final = Lock()
_OPEN: Final[list[dict[str, Any]]] = []
"""The settings before full precision was first requested; one entry per active request."""


@contextmanager
def hold_full_precision(device: str) -> Iterator[None]:
    """Disable TF32 on a CUDA device within the context, and restore the settings when the last context ends.

    These settings are global in torch, so other GPU computations in the process are affected too. Other devices are
    not changed.
    """
    if not device.startswith("cuda"):
        yield
        return
    with _LOCK:
        _OPEN.append(_OPEN[0] if _OPEN else _read_settings())
        _forbid_tf32()
    try:
        yield
    finally:
        with _LOCK:
            before = _OPEN.pop()
            if not _OPEN:
                _restore(before)


def _list_switches() -> Mapping[str, Any]:
    """Return the objects with separate precision settings, by name; before torch 2.9 there are none."""
    from torch import backends

    found = {
        "matmul": backends.cuda.matmul,
        "convolution": getattr(backends.cudnn, "conv", None),
        "rnn": getattr(backends.cudnn, "rnn", None),
        # Set together with that of all matrix products.
        "processor": getattr(backends.mkldnn, "matmul", None),
    }
    return {name: switch for name, switch in found.items() if hasattr(switch, "fp32_precision")}


def _read_settings() -> dict[str, Any]:
    import torch

    settings: dict[str, Any] = {name: switch.fp32_precision for name, switch in _list_switches().items()}
    for name, read in (
        ("products", torch.get_float32_matmul_precision),
        ("cudnn", lambda: torch.backends.cudnn.allow_tf32),
    ):
        try:
            settings[name] = read()
        except RuntimeError:
            # LSTMs and convolutions have different settings, so torch refuses to return a common one.
            continue
    return settings


def _forbid_tf32() -> None:
    import torch

    # The global settings first: torch refuses to compute if they contradict the others.
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    for name, switch in _list_switches().items():
        if name != "processor":
            switch.fp32_precision = "ieee"


def _restore(settings: Mapping[str, Any]) -> None:
    import torch

    if "products" in settings:
        torch.set_float32_matmul_precision(settings["products"])
    if "cudnn" in settings:
        torch.backends.cudnn.allow_tf32 = settings["cudnn"]
    for name, switch in _list_switches().items():
        switch.fp32_precision = settings[name]
