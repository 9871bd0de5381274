"""Products of float32 in all their digits on a GPU, where torch allows fewer.

By its defaults torch lets cuDNN compute LSTMs and convolutions in TF32, which has 10 binary digits where float32 has
23, and programs may allow it for matrix products too. Scores would then differ from the processor's in their fourth
digit, and depend on what else the process had set.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

_LOCK: Final = Lock()
_OPEN: Final[list[dict[str, Any]]] = []
"""What was set before the first of those that hold full precision now; one entry for each of them."""


@contextmanager
def hold_full_precision(device: str) -> Iterator[None]:
    """Forbid TF32 on a CUDA device meanwhile, and set what was set before when the last that forbade it is done.

    torch keeps these settings for the whole process: what else computes on a GPU at the same time is as precise. On
    other devices nothing is touched.
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
    """Return what holds a setting of its own by name; before torch 2.9 nothing does."""
    from torch import backends

    found = {
        "matmul": backends.cuda.matmul,
        "convolution": getattr(backends.cudnn, "conv", None),
        "rnn": getattr(backends.cudnn, "rnn", None),
        # Set along with that of all products.
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
            # Set for LSTMs and convolutions apart, and so by their own switches; torch refuses to say it as one.
            continue
    return settings


def _forbid_tf32() -> None:
    import torch

    # The settings for all at once first: torch refuses to compute where they contradict the others.
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
