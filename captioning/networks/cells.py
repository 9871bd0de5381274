"""The LSTM cell of self-critical training, whose cell input is the maximum of two units."""

import torch
from torch import Tensor, nn


class MaxoutCell(nn.Module):
    """An LSTM cell without peepholes whose cell input is maxout instead of tanh (Rennie et al. 2017, section 2).

    With `context_size`, a context vector enters the cell input only, and no gate (their Att2in).
    """

    def __init__(self, input_size: int, hidden: int, *, context_size: int = 0) -> None:
        super().__init__()
        self.hidden = hidden
        # The order is input, forget and output gate, then the two units of the cell input.
        self.inputs = nn.Linear(input_size, 5 * hidden)
        self.recurrent = nn.Linear(hidden, 5 * hidden, bias=False)
        self.context = nn.Linear(context_size, 2 * hidden, bias=False) if context_size else None

    def forward(
        self, projected: Tensor, output: Tensor, cell: Tensor, context: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the next output and cell, `(n, hidden)` each.

        Args:
            projected: `(n, 5 * hidden)`: `self.inputs` of the input, which can be computed for all steps at once.
            output, cell: The previous ones.
            context: `(n, context_size)`, for a cell that has one.
        """
        hidden = self.hidden
        total = projected + self.recurrent(output)
        enter, forget, leave = torch.sigmoid(total[:, : 3 * hidden]).chunk(3, dim=1)
        units = total[:, 3 * hidden :]
        if self.context is not None and context is not None:
            units = units + self.context(context)
        first, second = units.chunk(2, dim=1)
        cell = enter * torch.maximum(first, second) + forget * cell
        return leave * torch.tanh(cell), cell

    def draw_weights(self, generator: torch.Generator) -> None:
        """Set the biases of the forget gate to 1, so that early training remembers."""
        with torch.no_grad():
            self.inputs.bias[self.hidden : 2 * self.hidden] = 1.0
