"""Sampling of captions, with temperature, top-k and nucleus truncation."""

import torch
from torch import Tensor

from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.walking import walk
from captioning.networks.network import State, Stepper, take_state


def sample_captions(
    stepper: Stepper,
    state: State,
    *,
    n: int,
    max_words: int,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return `n` captions of each image, drawn independently.

    Args:
        stepper, state: As for `decode`.
        n: At least 1.
        max_words: The length at which a caption is ended.
        temperature, top_k, top_p: As in `Decoding`; applied in this order to the words that may be generated.
        generator: On the CPU, so that captions are the same on every device up to rounding.
    """

    def choose(allowed: Tensor) -> Tensor:
        probabilities = truncate(torch.softmax(allowed / temperature, dim=1), top_k=top_k, top_p=top_p)
        return draw(probabilities, torch.rand(len(allowed), generator=generator).to(allowed.device))

    rows = torch.arange(len(state[0]), device=state[0].device).repeat_interleave(n)
    return walk(stepper, take_state(state, rows), n=n, max_words=max_words, choose=choose)


def truncate(probabilities: Tensor, *, top_k: int = 0, top_p: float = 1.0) -> Tensor:
    """Return probabilities `(n, n_words)` with 0 for words outside the support, not renormalised.

    Args:
        probabilities: Rows that sum to 1.
        top_k: Keep this number of most probable words; 0 for all.
        top_p: Keep the fewest of them whose share of the kept probability is at least this (Holtzman et al. 2020).
            Which of several equally probable words is kept is not defined.
    """
    if 0 < top_k < probabilities.shape[1]:
        values, words = probabilities.topk(top_k, dim=1)
        probabilities = torch.zeros_like(probabilities).scatter(1, words, values)
    if top_p < 1:
        values, words = probabilities.sort(dim=1, descending=True, stable=True)
        # A word is needed if those before it do not reach the share yet.
        before = values.cumsum(dim=1) - values
        needed = before < top_p * values.sum(dim=1, keepdim=True)
        probabilities = torch.zeros_like(probabilities).scatter(1, words, values * needed)
    return probabilities


def draw(probabilities: Tensor, numbers: Tensor) -> Tensor:
    """Return one word for each row, `(n,)`, by inversion of the distribution function.

    Args:
        probabilities: `(n, n_words)`, not necessarily normalised, with a positive sum.
        numbers: `(n,)`: uniform in [0, 1).
    """
    sums = probabilities.cumsum(dim=1)
    words = torch.searchsorted(sums, (numbers * sums[:, -1]).unsqueeze(1), right=True).squeeze(1)
    words = words.clamp(max=probabilities.shape[1] - 1)
    # By rounding, a number may lie beyond the last word of positive probability.
    impossible = probabilities.gather(1, words.unsqueeze(1)).squeeze(1) == 0
    return torch.where(impossible, probabilities.argmax(dim=1), words)
