"""Captions as the targets of a decoder, and the log-probabilities that it gives to them."""

from collections.abc import Sequence

import torch
from torch import Tensor

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
