"""Decoders with attention over regions: Att2in, and adaptive attention with a visual sentinel."""

import torch
from torch import Tensor, nn

from captioning.networks.cells import MaxoutCell
from captioning.networks.decoders import RecurrentDecoder
from captioning.networks.network import EncodedRegions, State


class Att2inDecoder(RecurrentDecoder):
    """Att2in of Rennie et al. (2017), section 2: attention enters the cell input of the LSTM, and no gate.

    The image is not read otherwise; the LSTM starts from zero.
    """

    def __init__(self, *, n_words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__(n_words=n_words, embedding=embedding, hidden=hidden, dropout=dropout)
        self.cell = MaxoutCell(embedding, hidden, context_size=hidden)
        self.keys = nn.Linear(hidden, hidden)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.weight = nn.Linear(hidden, 1, bias=False)

    def begin(self, regions: EncodedRegions) -> State:
        """As `WordDecoder.begin`."""
        n = len(regions.values)
        return self.zeros(n), self.zeros(n), regions.values, self.keys(regions.values), regions.mask

    def advance(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `RecurrentDecoder.advance`."""
        output, cell = self._move(self.cell.inputs(words), state)
        return output, (output, cell, *state[2:])

    def advance_all(self, words: Tensor, state: State) -> Tensor:
        """As `RecurrentDecoder.advance_all`, with the inputs of all steps projected at once."""
        outputs = []
        for projected in self.cell.inputs(words).unbind(dim=1):
            output, cell = self._move(projected, state)
            state = (output, cell, *state[2:])
            outputs.append(output)
        return torch.stack(outputs, dim=1)

    def _move(self, projected: Tensor, state: State) -> tuple[Tensor, Tensor]:
        output, cell, values, keys, mask = state
        logits = self.weight(torch.tanh(keys + self.query(output).unsqueeze(1))).squeeze(2)
        weights = torch.softmax(logits.masked_fill(~mask, -torch.inf), dim=1)
        context = (weights.unsqueeze(1) @ values).squeeze(1)
        moved: tuple[Tensor, Tensor] = self.cell(projected, output, cell, context)
        return moved


class AdaptiveDecoder(RecurrentDecoder):
    """Adaptive attention of Lu et al. (2017), section 2: over the regions and a visual sentinel (equations 6-13).

    The LSTM reads every word with the mean region. The sentinel is what the LSTM already knows; a word such as "of" can
    attend to it instead of to the image.
    """

    def __init__(self, *, n_words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__(n_words=n_words, embedding=embedding, hidden=hidden, dropout=dropout)
        self.image = nn.Linear(hidden, embedding)
        self.lstm = nn.LSTMCell(2 * embedding, hidden)
        self.gate_input = nn.Linear(2 * embedding, hidden, bias=False)
        self.gate_output = nn.Linear(hidden, hidden, bias=False)
        self.keys = nn.Linear(hidden, hidden, bias=False)
        self.sentinel_key = nn.Linear(hidden, hidden, bias=False)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.weight = nn.Linear(hidden, 1, bias=False)

    def begin(self, regions: EncodedRegions) -> State:
        """As `WordDecoder.begin`."""
        n = len(regions.values)
        image = torch.relu(self.image(regions.mean))
        return self.zeros(n), self.zeros(n), image, regions.values, self.keys(regions.values), regions.mask

    def advance(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `RecurrentDecoder.advance`."""
        output, cell, sentinel = self._move(words, state)
        return self._attend(output.unsqueeze(1), sentinel.unsqueeze(1), state)[:, 0], (output, cell, *state[2:])

    def advance_all(self, words: Tensor, state: State) -> Tensor:
        """As `RecurrentDecoder.advance_all`, with attention, which does not enter the LSTM, at once."""
        outputs, sentinels = [], []
        for vectors in words.unbind(dim=1):
            output, cell, sentinel = self._move(vectors, state)
            state = (output, cell, *state[2:])
            outputs.append(output)
            sentinels.append(sentinel)
        return self._attend(torch.stack(outputs, dim=1), torch.stack(sentinels, dim=1), state)

    def _move(self, words: Tensor, state: State) -> tuple[Tensor, Tensor, Tensor]:
        before, cell, image = state[:3]
        inputs = torch.cat([words, image.to(words.dtype)], dim=1)
        output, cell = self.lstm(inputs, (before, cell))
        gate = torch.sigmoid(self.gate_input(inputs) + self.gate_output(before))
        return output, cell, gate * torch.tanh(cell)

    def _attend(self, outputs: Tensor, sentinels: Tensor, state: State) -> Tensor:
        """Return `(n, n_steps, hidden)`: the attended vector plus the output of the LSTM."""
        values, keys, mask = state[3:]
        queries = self.query(outputs)
        logits = self.weight(torch.tanh(keys.unsqueeze(1) + queries.unsqueeze(2))).squeeze(3)
        logits = logits.masked_fill(~mask.unsqueeze(1), -torch.inf)
        sentinel = self.weight(torch.tanh(self.sentinel_key(sentinels) + queries))
        # One softmax over regions and sentinel: beta s + (1 - beta) c in the paper's terms.
        weights = torch.softmax(torch.cat([logits, sentinel], dim=2), dim=2)
        attended = weights[..., :-1] @ values + weights[..., -1:] * sentinels
        return attended + outputs
