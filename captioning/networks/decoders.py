"""Decoders without attention: Show and Tell, LRCN, and the FC model of self-critical training."""

from abc import abstractmethod

import torch
from torch import Tensor, nn

from captioning.networks.cells import MaxoutCell
from captioning.networks.network import EncodedRegions, State, WordDecoder
from metrics_plugins.metrics.critics.network_state import drop
from metrics_plugins.text.vocabulary import PAD, START


class RecurrentDecoder(WordDecoder):
    """What all decoders here have in common: word vectors, dropout, and a linear layer before the softmax."""

    def __init__(self, *, n_words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.hidden = hidden
        self.dropout = dropout
        self.embedding = nn.Embedding(n_words, embedding)
        self.output = nn.Linear(hidden, n_words)
        excluded = torch.zeros(n_words)
        excluded[[PAD, START]] = -torch.inf
        self.excluded: Tensor
        self.register_buffer("excluded", excluded, persistent=False)

    @abstractmethod
    def advance(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """Return the outputs `(n, hidden)` after word vectors `(n, embedding)`, and the next state."""

    def advance_all(self, words: Tensor, state: State) -> Tensor:
        """Return the outputs `(n, n_steps, hidden)` after all word vectors `(n, n_steps, embedding)`."""
        outputs = []
        for step in range(words.shape[1]):
            output, state = self.advance(words[:, step], state)
            outputs.append(output)
        return torch.stack(outputs, dim=1)

    def step(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `Stepper.step`."""
        outputs, state = self.advance(self.embedding(words), state)
        return self.give(outputs), state

    def forward(self, regions: EncodedRegions, words: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
        """As `WordDecoder.forward`."""
        return self.read(words, self.begin(regions), generator=generator)

    def read(self, words: Tensor, state: State, *, generator: torch.Generator | None = None) -> Tensor:
        """As `forward`, from a state."""
        vectors = drop(self.embedding(words), self.dropout, generator)
        return self.give(drop(self.advance_all(vectors, state), self.dropout, generator))

    def give(self, outputs: Tensor) -> Tensor:
        """Return the log-probabilities of words, `(..., n_words)`, always computed in single precision."""
        return torch.log_softmax(self.output(outputs).float() + self.excluded, dim=-1)

    def zeros(self, n: int) -> Tensor:
        """Return the zero state of `n` rows, `(n, hidden)`."""
        return self.output.weight.new_zeros(n, self.hidden)


class LstmDecoder(RecurrentDecoder):
    """An LSTM that reads the mean region of an image, projected to the length of a word vector.

    With `image_at_every_step` false, the image is the first input, once, followed by the words: Show and Tell (Vinyals
    et al. 2015). With true, the image is concatenated with every word: LRCN-1u (Donahue et al. 2015). There is no other
    difference.
    """

    def __init__(
        self,
        *,
        n_words: int,
        embedding: int,
        hidden: int,
        dropout: float,
        image_at_every_step: bool,
        extra: int = 0,
    ) -> None:
        """Take the sizes; `extra` is the length of what is concatenated with the mean region."""
        super().__init__(n_words=n_words, embedding=embedding, hidden=hidden, dropout=dropout)
        self.image_at_every_step = image_at_every_step
        self.image = nn.Linear(hidden + extra, embedding)
        self.lstm = nn.LSTM(embedding * (1 + image_at_every_step), hidden, batch_first=True)

    def begin(self, regions: EncodedRegions) -> State:
        """As `WordDecoder.begin`."""
        return self.begin_with(regions.mean)

    def begin_with(self, vectors: Tensor) -> State:
        """Return the state before `<sos>` for images given as vectors, `(n, hidden + extra)`."""
        image = self.image(vectors)
        state: State = (self.zeros(len(image)), self.zeros(len(image)), image)
        return state if self.image_at_every_step else self.advance(image, state)[1]

    def advance(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `RecurrentDecoder.advance`."""
        outputs, state = self._run(words.unsqueeze(1), state)
        return outputs[:, 0], state

    def advance_all(self, words: Tensor, state: State) -> Tensor:
        """As `RecurrentDecoder.advance_all`."""
        return self._run(words, state)[0]

    def _run(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        output, cell, image = state
        if self.image_at_every_step:
            words = torch.cat([words, image.unsqueeze(1).expand(-1, words.shape[1], -1).to(words.dtype)], dim=2)
        outputs, (output, cell) = self.lstm(words, (output.unsqueeze(0), cell.unsqueeze(0)))
        return outputs, (output[0], cell[0], image)


class FcDecoder(RecurrentDecoder):
    """The FC model of Rennie et al. (2017), section 2: the image is the first input of an LSTM with maxout."""

    def __init__(self, *, n_words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__(n_words=n_words, embedding=embedding, hidden=hidden, dropout=dropout)
        self.image = nn.Linear(hidden, embedding)
        self.cell = MaxoutCell(embedding, hidden)

    def begin(self, regions: EncodedRegions) -> State:
        """As `WordDecoder.begin`."""
        image = self.image(regions.mean)
        return self.advance(image, (self.zeros(len(image)), self.zeros(len(image))))[1]

    def advance(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `RecurrentDecoder.advance`."""
        output, cell = self.cell(self.cell.inputs(words), *state)
        return output, (output, cell)

    def advance_all(self, words: Tensor, state: State) -> Tensor:
        """As `RecurrentDecoder.advance_all`, with the inputs of all steps projected at once."""
        output, cell = state
        outputs = []
        for projected in self.cell.inputs(words).unbind(dim=1):
            output, cell = self.cell(projected, output, cell)
            outputs.append(output)
        return torch.stack(outputs, dim=1)
