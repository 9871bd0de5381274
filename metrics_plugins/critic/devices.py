"""Where tensors go."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from metrics_plugins.api import MetricError, MissingResource

if TYPE_CHECKING:
    import torch


def choose_device(name: str) -> "torch.device":
    """Return the device of a name; `auto` is CUDA, else Apple's MPS, else the processor: the first that is there.

    Raises:
        MissingResource: PyTorch is not installed, or it has no such device here.
        MetricError: There is no such kind of device.
    """
    require_package("torch")
    import torch

    if name == "auto":
        found = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(found)
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise MetricError(f"device must be auto, cpu, cuda, cuda:1, mps, ..., got {name!r}") from error
    missing = (device.type == "cuda" and not torch.cuda.is_available()) or (
        device.type == "mps" and not torch.backends.mps.is_available()
    )
    if missing:
        raise MissingResource(f"device {name!r} is not there: PyTorch {torch.__version__} finds none on this machine")
    return device


def require_package(name: str) -> None:
    """Raise `MissingResource` if a package is not installed; it is not imported."""
    if find_spec(name) is None:
        raise MissingResource(
            f"learned critics need {name}, which is not installed: pip install -c constraints.txt 'accordance[critics]'"
        )
