"""Initial weights of networks, drawn from a generator."""

from collections.abc import Callable
from typing import Final, Protocol, runtime_checkable

import torch
from torch import nn

_Draw = Callable[[nn.Module, torch.Generator], None]


@runtime_checkable
class DrawsWeights(Protocol):
    """A module with a rule of its own for its weights."""

    def draw_weights(self, generator: torch.Generator) -> None:
        """Draw those weights, after all those of the modules it contains."""
        ...


def draw_weights(network: nn.Module, generator: torch.Generator) -> None:
    """Draw all weights: Glorot uniform for matrices, He uniform before ReLU layers of a CNN, +-0.1 for word vectors.

    Biases are 0, but 1 for the forget gates of LSTMs (Jozefowicz et al. 2015).

    Raises:
        TypeError: A module has weights of its own, but no rule here.
    """
    # Children come before their parents, which correct them.
    for module in reversed(list(network.modules())):
        draw = _RULES.get(type(module))
        if isinstance(module, DrawsWeights):
            module.draw_weights(generator)
        elif draw is not None:
            draw(module, generator)
        elif next(module.parameters(recurse=False), None) is not None:
            raise TypeError(f"no rule for the weights of {type(module).__name__}")


def _draw_matrix(module: nn.Module, generator: torch.Generator) -> None:
    for weight in module.parameters(recurse=False):
        if weight.dim() > 1:
            nn.init.xavier_uniform_(weight, generator=generator)
        else:
            nn.init.zeros_(weight)


def _draw_convolution(module: nn.Module, generator: torch.Generator) -> None:
    nn.init.kaiming_uniform_(module.get_parameter("weight"), nonlinearity="relu", generator=generator)
    nn.init.zeros_(module.get_parameter("bias"))


def _draw_embedding(module: nn.Module, generator: torch.Generator) -> None:
    nn.init.uniform_(module.get_parameter("weight"), -0.1, 0.1, generator=generator)


def _draw_lstm(module: nn.Module, generator: torch.Generator) -> None:
    _draw_matrix(module, generator)
    name = "bias_ih" if isinstance(module, nn.LSTMCell) else "bias_ih_l0"
    with torch.no_grad():
        # PyTorch's order of gates is input, forget, cell, output.
        module.get_parameter(name).view(4, -1)[1] = 1.0


def _reset(module: nn.Module, _: torch.Generator) -> None:
    nn.init.ones_(module.get_parameter("weight"))
    nn.init.zeros_(module.get_parameter("bias"))


_RULES: Final[dict[type[nn.Module], _Draw]] = {
    nn.Linear: _draw_matrix,
    nn.Conv2d: _draw_convolution,
    nn.Embedding: _draw_embedding,
    nn.LSTM: _draw_lstm,
    nn.LSTMCell: _draw_lstm,
    nn.GroupNorm: _reset,
}
