"""Word vectors trained on captions: continuous bag of words with negative sampling (Mikolov et al. 2013)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.text.vocabulary import MARKS, PAD, UNKNOWN, Vocabulary

_POWER: Final = 0.75
"""Negative words are drawn by their frequency to this power, as in word2vec."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordVectorSettings:
    """The settings of training, by Adam.

    Attributes:
        dimension: The length of a vector.
        window: The number of words on each side that are the context of a word.
        negatives: The number of random words from which each word is told apart.
        epochs, batch, rate: Passes over the words, words in a batch, and the learning rate, which falls linearly to 0.
    """

    dimension: int = 100
    window: int = 5
    negatives: int = 5
    epochs: int = 5
    batch: int = 1024
    rate: float = 0.005


def train_word_vectors(
    lines: Sequence[str],
    *,
    vocabulary: Vocabulary,
    settings: WordVectorSettings | None = None,
    generator: torch.Generator,
    track: Track = pass_on,
) -> NDArray[np.float32]:
    """Return `(n_words, dimension)`: the vectors of the vocabulary's words, without its special tokens.

    A word is predicted from the mean vector of the words around it in its caption. Words outside the vocabulary are
    left out, as if they were not there.

    Args:
        lines: Captions as tokens joined by single spaces.
        vocabulary: The words.
        settings: By default as above.
        generator: The only source of randomness; the result is the same for the same generator.
        track: Displays progress.

    Raises:
        ValueError: No line has two words of the vocabulary.
    """
    chosen = settings or WordVectorSettings()
    corpus, places = _lay_out(lines, vocabulary, window=chosen.window)
    if not len(places):
        raise ValueError("word vectors need captions with at least two words of the vocabulary, got none")
    n_words = len(vocabulary)
    counts = torch.bincount(corpus[places], minlength=n_words).double()
    weights = counts.pow(_POWER)
    offsets = torch.tensor([step for step in range(-chosen.window, chosen.window + 1) if step])
    contexts = nn.Embedding(n_words, chosen.dimension, padding_idx=PAD)
    outputs = nn.Embedding(n_words, chosen.dimension)
    with torch.no_grad():
        bound = 0.5 / chosen.dimension
        contexts.weight.uniform_(-bound, bound, generator=generator)
        contexts.weight[PAD] = 0.0
        outputs.weight.zero_()
    optimizer = torch.optim.Adam([contexts.weight, outputs.weight], lr=chosen.rate)
    batches = -(-len(places) // chosen.batch)
    schedule = torch.optim.lr_scheduler.LinearLR(
        optimizer, start_factor=1.0, end_factor=0.0, total_iters=chosen.epochs * batches
    )
    for epoch in range(chosen.epochs):
        order = torch.split(places[torch.randperm(len(places), generator=generator)], chosen.batch)
        for rows in track(order, total=batches, label=f"word vectors, epoch {epoch + 1}"):
            around = corpus[rows.unsqueeze(1) + offsets]
            means = contexts(around).sum(dim=1) / (around != PAD).sum(dim=1, keepdim=True)
            drawn = torch.multinomial(weights, len(rows) * chosen.negatives, replacement=True, generator=generator)
            loss = _compute_loss(means, outputs(corpus[rows]), outputs(drawn.view(len(rows), -1)))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # PyTorch declares no types here
            optimizer.step()
            schedule.step()
    return contexts.weight.detach().numpy()[len(MARKS) :].copy()


def _compute_loss(means: Tensor, targets: Tensor, negatives: Tensor) -> Tensor:
    positive = nn.functional.softplus(-(means * targets).sum(dim=1))
    negative = nn.functional.softplus((negatives @ means.unsqueeze(2)).squeeze(2)).sum(dim=1)
    return (positive + negative).mean()


def _lay_out(lines: Sequence[str], vocabulary: Vocabulary, *, window: int) -> tuple[Tensor, Tensor]:
    """Return all captions in a row, with `<pad>` between them, and the places of words that have a context."""
    number_of = {word: number for number, word in enumerate(vocabulary.words, start=len(MARKS))}
    gap = [PAD] * window
    row: list[int] = list(gap)
    places: list[int] = []
    for line in lines:
        numbers = [number_of.get(word, UNKNOWN) for word in line.split()]
        known = [number for number in numbers if number != UNKNOWN]
        if len(known) > 1:
            places += range(len(row), len(row) + len(known))
            row += known + gap
    return torch.tensor(row), torch.tensor(places, dtype=torch.long)
