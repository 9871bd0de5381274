"""What trainings of networks share: dropout, and the weights and moments of Adam in the tensors of a checkpoint."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn


def drop(values: Tensor, rate: float, generator: torch.Generator | None) -> Tensor:
    """Return values with dropout; unchanged without a generator."""
    if generator is None or rate == 0:
        return values
    kept = 1 - rate
    # Drawn on the CPU, so that dropout is the same on every device.
    mask = torch.rand(values.shape, generator=generator) < kept
    return values * mask.to(values.device) / kept


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the learning rate of all parameters."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def copy_state(module: nn.Module, prefix: str) -> dict[str, np.ndarray]:
    """Return copies of the weights, by name after the prefix."""
    state = module.state_dict()
    return {f"{prefix}{name}": tensor.detach().cpu().numpy().copy() for name, tensor in state.items()}


def load_state(module: nn.Module, tensors: Mapping[str, np.ndarray], prefix: str) -> None:
    """Set the weights to those whose names have the prefix."""
    state = pick(tensors, prefix)
    module.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in state.items()})


def copy_moments(optimizer: torch.optim.Adam, module: nn.Module, *, prefix: str = "") -> dict[str, np.ndarray]:
    """Return Adam's moments by name: `mean.*` and `square.*` of each parameter, after the prefix."""
    tensors = {}
    for name, parameter in module.named_parameters():
        state = optimizer.state[parameter]
        tensors[f"{prefix}mean.{name}"] = state["exp_avg"].cpu().numpy()
        tensors[f"{prefix}square.{name}"] = state["exp_avg_sq"].cpu().numpy()
    return tensors


def load_moments(
    optimizer: torch.optim.Adam, module: nn.Module, tensors: Mapping[str, np.ndarray], *, step: int, prefix: str = ""
) -> None:
    """Set Adam's moments to those of `copy_moments`, after a number of steps."""
    means, squares = (pick(tensors, f"{prefix}{kind}.") for kind in ("mean", "square"))
    state = {
        place: {
            "step": torch.tensor(float(step)),
            "exp_avg": torch.from_numpy(means[name].copy()),
            "exp_avg_sq": torch.from_numpy(squares[name].copy()),
        }
        for place, (name, _) in enumerate(module.named_parameters())
    }
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def pick(tensors: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """Return the tensors whose names have the prefix, by the rest of the name."""
    return {name.removeprefix(prefix): values for name, values in tensors.items() if name.startswith(prefix)}
