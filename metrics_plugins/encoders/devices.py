"""Where an encoder computes, and how much it takes on at once there."""

from typing import Final

from metrics_plugins.api import MetricError

# Enough tokens for matrix products at nearly full speed; more only adds to what tiles of few texts are filled up with.
_TOKENS_ON_PROCESSOR: Final = 128
_TOKENS_ON_ACCELERATOR: Final = 8192


def choose_device(name: str) -> str:
    """Return the device that a name stands for: itself, and for `auto` the first accelerator that torch finds.

    Raises:
        MetricError: torch does not find this device.
    """
    if name == "cpu":
        return name
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).partition("\n")[0]
        raise MetricError(f"torch cannot compute on the device {name!r} here: {reason}") from error
    return name


def choose_budget(device: str) -> int:
    """Return about how many tokens are computed together."""
    return _TOKENS_ON_PROCESSOR if device == "cpu" else _TOKENS_ON_ACCELERATOR
