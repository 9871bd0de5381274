"""One hypothesis per row, extended word by word: what greedy decoding and sampling have in common."""

from collections.abc import Callable

import torch
from torch import Tensor

from captioning.decoding.decoded import DecodedCaptions, check_step
from captioning.networks.network import State, Stepper
from metrics_plugins.text.vocabulary import END, PAD, START

Choose = Callable[[Tensor], Tensor]
"""Returns the chosen words `(n,)` of log-probabilities `(n, n_words)`, which are -inf for special tokens."""


@torch.no_grad()
def walk(stepper: Stepper, state: State, *, n: int, max_words: int, choose: Choose) -> DecodedCaptions:
    """Return `n` captions of each image; the rows of `state` are those of the images, each repeated `n` times.

    Raises:
        CaptionerError: A log-probability is NaN.
    """
    rows = len(state[0])
    device = state[0].device
    ids = torch.full((rows, max_words + 1), PAD, device=device)
    chosen_log_probabilities = torch.zeros(rows, max_words + 1, device=device)
    words = torch.full((rows,), START, device=device)
    ended = torch.zeros(rows, dtype=torch.bool, device=device)
    for step in range(max_words + 1):
        given, state = stepper.step(words, state)
        allowed = check_step(given, step)
        words = torch.full_like(words, END) if step == max_words else choose(allowed)
        words = torch.where(ended, PAD, words)
        taken = given.gather(1, words.unsqueeze(1)).squeeze(1).to(chosen_log_probabilities.dtype)
        ids[:, step] = words
        chosen_log_probabilities[:, step] = torch.where(ended, 0.0, taken)
        ended = ended | (words == END)
        if bool(ended.all()):
            break
    images = rows // n
    return DecodedCaptions(
        ids=ids.view(images, n, -1),
        word_log_probabilities=chosen_log_probabilities.view(images, n, -1),
    )
