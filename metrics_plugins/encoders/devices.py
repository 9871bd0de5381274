"""Choice of the device of an encoder, and of the number of tokens it processes at once."""

from typing import Final

from metrics_plugins.api import MetricError

# Enough tokens for nearly full speed of matrix products; more would only increase the padding of small tiles.
_TOKENS_ON_PROCESSOR: Final = 128
_TOKENS_ON_ACCELERATOR: Final = 8192


def choose_device(name: str) -> str:
    """Return the device of this name; for `auto`, the first accelerator that torch finds.

    Raises:
        MetricError: torch does not find the device.
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
    """Return the approximate number of tokens to process together."""
    return _TOKENS_ON_PROCESSOR if device == "cpu" else _TOKENS_ON_ACCELERATOR
