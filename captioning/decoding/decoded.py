"""Decoded captions as word numbers, with their log-probabilities."""

from dataclasses import dataclass

import torch
from torch import Tensor

from captioning.api.errors import CaptionerError
from metrics_plugins.text.vocabulary import END, PAD, START, UNKNOWN, Vocabulary

EXCLUDED = (PAD, UNKNOWN, START)
"""What is never generated."""


@dataclass(frozen=True, slots=True, eq=False)
class DecodedCaptions:
    """The same number of captions for each image.

    A caption that reaches the maximum number of words is ended there. The log-probability of that end counts, although
    it was not chosen, so that every log-probability is that of the whole caption and equals the one of scoring.

    Attributes:
        ids: `(n_images, n, max_words + 1)`: the words and `<eos>` of each caption, padded with `<pad>`.
        word_log_probabilities: `(n_images, n, max_words + 1)`: the log-probability that the network gives to each
            entry (at temperature 1, without truncation or renormalisation), 0 for `<pad>`.
    """

    ids: Tensor
    word_log_probabilities: Tensor

    @property
    def is_cut(self) -> Tensor:
        """`(n_images, n)`: whether the caption was ended by its length.

        Its end is the last entry of its row. It was not a random choice, so a policy gradient leaves it out.
        """
        return self.ids[:, :, -1] == END

    @property
    def log_probabilities(self) -> Tensor:
        """`(n_images, n)`, float64, on the CPU: the log-probability of each caption, including its end."""
        return self.word_log_probabilities.detach().cpu().double().sum(dim=2)

    def group(self, n: int) -> "DecodedCaptions":
        """Return one caption of each of `n_images * n` images as `n` captions of each image."""
        return DecodedCaptions(
            ids=self.ids.view(-1, n, self.ids.shape[2]),
            word_log_probabilities=self.word_log_probabilities.view(-1, n, self.ids.shape[2]),
        )

    def write(self, vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
        """Return the captions as lines: words joined by single spaces."""
        return tuple(tuple(write_lines(rows, vocabulary)) for rows in self.ids)


def write_lines(ids: Tensor, vocabulary: Vocabulary) -> list[str]:
    """Return rows of word numbers, `(n, n_steps)`, as lines: words joined by single spaces up to the first `<eos>`."""
    first = END + 1
    lines = []
    for row in ids.tolist():
        kept = row[: row.index(END)] if END in row else row
        lines.append(" ".join(vocabulary.words[number - first] for number in kept if number >= first))
    return lines


def check_step(log_probabilities: Tensor, step: int) -> Tensor:
    """Return log-probabilities `(n, n_words)` of what may be generated, with -inf for special tokens.

    Raises:
        CaptionerError: One is NaN, or no word has a positive probability; the message names the step.
    """
    if bool(torch.isnan(log_probabilities).any()):
        rows = torch.isnan(log_probabilities).any(dim=1)
        raise CaptionerError(
            f"the network gave NaN as log-probability of word {step + 1}, for {int(rows.sum())} of {len(rows)} captions"
        )
    allowed = log_probabilities.clone()
    allowed[:, list(EXCLUDED)] = -torch.inf
    dead = allowed.amax(dim=1) == -torch.inf
    if bool(dead.any()):
        raise CaptionerError(
            f"the network gave probability 0 to all that can be word {step + 1}, for {int(dead.sum())} of {len(dead)} "
            "captions"
        )
    return allowed


def check_n(n: int, *, most: int, what: str) -> None:
    """Check the number of captions.

    Raises:
        CaptionerError: It is not between 1 and what the decoding gives.
    """
    if not 1 <= n <= most:
        raise CaptionerError(f"{what} gives between 1 and {most} captions of an image, got n = {n}")
