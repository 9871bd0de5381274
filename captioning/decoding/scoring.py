"""Log-probabilities of given captions."""

from collections.abc import Sequence

import torch
from torch import Tensor

from captioning.networks.network import EncodedRegions, State, Stepper, WordDecoder
from metrics_plugins.text.vocabulary import PAD, START, Vocabulary


def encode_captions(lines: Sequence[str], vocabulary: Vocabulary) -> Tensor:
    """Return `(n, n_steps)`: the word numbers of whole captions, each followed by `<eos>`, padded with `<pad>`."""
    steps = max((len(line.split()) for line in lines), default=0) + 1
    return torch.from_numpy(vocabulary.encode(lines, steps=steps, long="cut").ids)


def shift(ids: Tensor) -> Tensor:
    """Return the inputs of a decoder for targets `(n, n_steps)`: `<sos>`, then all but the last."""
    return torch.cat([torch.full_like(ids[:, :1], START), ids[:, :-1]], dim=1)


def gather_words(log_probabilities: Tensor, ids: Tensor) -> Tensor:
    """Return `(n, n_steps)`: the log-probability of each target, 0 for `<pad>`; differentiable.

    Args:
        log_probabilities: `(n, n_steps, n_words)`, as a decoder returns for `shift(ids)`.
        ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
    """
    padding = ids == PAD
    # <pad> has the log-probability -inf, which must not enter a product, nor its gradient.
    safe = ids.masked_fill(padding, PAD + 1)
    return log_probabilities.gather(2, safe.unsqueeze(2)).squeeze(2).masked_fill(padding, 0.0)


def score_words(
    decoder: WordDecoder, regions: EncodedRegions, ids: Tensor, *, generator: torch.Generator | None = None
) -> Tensor:
    """Return `(n, n_steps)`: the log-probability of each entry of captions, 0 for `<pad>`; differentiable.

    Args:
        decoder: Gives the probabilities.
        regions: One image for each caption; `regions.take` repeats an image.
        ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
        generator: With it, dropout is applied as in training.
    """
    return gather_words(decoder(regions, shift(ids), generator=generator), ids)


def score_captions(decoder: WordDecoder, regions: EncodedRegions, ids: Tensor) -> Tensor:
    """Return `(n,)`, float64, on the CPU: the log-probability of each caption; arguments as for `score_words`."""
    with torch.no_grad():
        return score_words(decoder, regions, ids).cpu().double().sum(dim=1)


@torch.no_grad()
def score_by_steps(stepper: Stepper, state: State, ids: Tensor) -> Tensor:
    """Return `(n,)`, float64, on the CPU: as `score_captions`, from a state, with one step after the other."""
    rows = []
    for words in shift(ids).unbind(dim=1):
        log_probabilities, state = stepper.step(words, state)
        rows.append(log_probabilities)
    return gather_words(torch.stack(rows, dim=1), ids).cpu().double().sum(dim=1)
