"""Language models of captions, which know nothing of images: unigram, LSTM, and their log-linear interpolation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from captioning.api.captions import Floats
from captioning.networks.decoders import RecurrentDecoder
from captioning.networks.network import EncodedRegions, State
from captioning.networks.targets import encode_captions, gather_words, shift
from captioning.networks.weights import draw_weights
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.text.vocabulary import END, UNKNOWN, Vocabulary

_ROWS = 512


class UnigramModel:
    """The relative frequencies of words, with the end of a caption as a word (Wang et al. 2020, section 5).

    There is no smoothing, except that unknown words together count at least 1, so that no probability is 0.
    """

    def __init__(self, lines: Sequence[str], *, vocabulary: Vocabulary) -> None:
        """Estimate the frequencies from the lines of training captions."""
        self.vocabulary = vocabulary
        ids = encode_captions(lines, vocabulary).numpy()
        counts = np.bincount(ids[ids > 0], minlength=len(vocabulary)).astype(np.float64)
        counts[[UNKNOWN, END]] = np.maximum(counts[[UNKNOWN, END]], 1.0)
        self._total = counts.sum()
        # A word of a vocabulary that was counted on other captions is as rare as one outside it.
        self._logarithms = np.log(np.maximum(counts, 1.0) / self._total)
        self._logarithms[0] = 0.0

    def score(self, lines: Sequence[str]) -> Floats:
        """As `LanguageModel.score`."""
        ids = encode_captions(lines, self.vocabulary).numpy()
        return np.asarray(self._logarithms[ids].sum(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class LstmModelSettings:
    """The sizes of the LSTM, which are those of Wang et al. (2020), section 6, and its training by Adam.

    Attributes:
        hidden, embedding, dropout: As in `NetworkSettings`.
        epochs, batch, rate: Passes over the captions, captions in a batch, and the learning rate.
        decay: The factor of the learning rate after each epoch.
        clip: The maximum norm of the gradient.
    """

    hidden: int = 512
    embedding: int = 300
    dropout: float = 0.3
    epochs: int = 5
    batch: int = 128
    rate: float = 1e-3
    decay: float = 0.8
    clip: float = 5.0


class LanguageDecoder(RecurrentDecoder):
    """A decoder without an image: an LSTM over words."""

    def __init__(self, *, n_words: int, embedding: int, hidden: int, dropout: float) -> None:
        super().__init__(n_words=n_words, embedding=embedding, hidden=hidden, dropout=dropout)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)

    def begin(self, regions: EncodedRegions) -> State:
        """Return the state before `<sos>`, which is the same for every image."""
        return self.begin_rows(len(regions.values))

    def begin_rows(self, n: int) -> State:
        """Return the state of `n` rows before `<sos>`."""
        return self.zeros(n), self.zeros(n)

    def advance(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `RecurrentDecoder.advance`."""
        outputs, (output, cell) = self.lstm(words.unsqueeze(1), tuple(each.unsqueeze(0) for each in state))
        return outputs[:, 0], (output[0], cell[0])

    def advance_all(self, words: Tensor, state: State) -> Tensor:
        """As `RecurrentDecoder.advance_all`."""
        outputs: Tensor = self.lstm(words, tuple(each.unsqueeze(0) for each in state))[0]
        return outputs

    def score_words(self, ids: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
        """Return `(n, n_steps)`: the log-probability of each entry of captions, 0 for `<pad>`."""
        return gather_words(self.read(shift(ids), self.begin_rows(len(ids)), generator=generator), ids)


class LstmModel:
    """A trained LSTM over words."""

    def __init__(self, decoder: LanguageDecoder, *, vocabulary: Vocabulary) -> None:
        self.decoder = decoder
        self.vocabulary = vocabulary

    @torch.no_grad()
    def score(self, lines: Sequence[str]) -> Floats:
        """As `LanguageModel.score`; a caption is scored once, however often it occurs."""
        distinct = sorted(set(lines), key=lambda line: (line.count(" "), line))
        scores: dict[str, float] = {}
        device = self.decoder.output.weight.device
        for start in range(0, len(distinct), _ROWS):
            chunk = distinct[start : start + _ROWS]
            words = self.decoder.score_words(encode_captions(chunk, self.vocabulary).to(device))
            scores.update(zip(chunk, words.cpu().double().sum(dim=1).tolist(), strict=True))
        return np.array([scores[line] for line in lines], dtype=np.float64)


def train_lstm_model(
    lines: Sequence[str],
    *,
    vocabulary: Vocabulary,
    settings: LstmModelSettings | None = None,
    generator: torch.Generator,
    device: str = "cpu",
    track: Track = pass_on,
) -> LstmModel:
    """Return an LSTM trained by cross entropy on the lines of captions.

    Args:
        lines: Captions as tokens joined by single spaces; at least one.
        vocabulary: Other words count as the unknown word.
        settings: By default those of the paper.
        generator: The only source of randomness, on the CPU.
        device: Where to compute.
        track: Displays progress.

    Raises:
        ValueError: There are no lines.
    """
    if not lines:
        raise ValueError("a language model needs at least one caption to learn from, got none")
    chosen = settings or LstmModelSettings()
    decoder = LanguageDecoder(
        n_words=len(vocabulary), embedding=chosen.embedding, hidden=chosen.hidden, dropout=chosen.dropout
    )
    draw_weights(decoder, generator)
    decoder.to(device)
    ids = encode_captions(lines, vocabulary)
    lengths = (ids > 0).sum(dim=1)
    optimizer = torch.optim.Adam(decoder.parameters(), lr=chosen.rate)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, chosen.decay)
    for epoch in range(chosen.epochs):
        batches = torch.split(torch.randperm(len(ids), generator=generator), chosen.batch)
        for rows in track(batches, total=len(batches), label=f"language model, epoch {epoch + 1}"):
            batch = ids[rows, : int(lengths[rows].max())].to(device)
            loss = -decoder.score_words(batch, generator=generator).sum() / lengths[rows].sum()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # PyTorch declares no types here
            nn.utils.clip_grad_norm_(decoder.parameters(), chosen.clip)
            optimizer.step()
        schedule.step()
    return LstmModel(decoder, vocabulary=vocabulary)
