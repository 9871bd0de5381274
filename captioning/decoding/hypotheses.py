"""The hypotheses of beam search, in groups, and their extension by a word."""

from dataclasses import dataclass

import torch
from torch import Tensor

from metrics_plugins.text.vocabulary import END, PAD


@dataclass(frozen=True, slots=True, eq=False)
class Hypotheses:
    """The hypotheses of one group: `size` for each image, the best one first.

    Attributes:
        ids: `(n_images, size, n_steps)`: the entries so far.
        log_probabilities: `(n_images, size, n_steps)`: the log-probability of each entry.
        scores: `(n_images, size)`: by which hypotheses are compared; -inf for one that does not exist.
        ended: `(n_images, size)`: whether no word can follow; also true of one that does not exist.
    """

    ids: Tensor
    log_probabilities: Tensor
    scores: Tensor
    ended: Tensor

    @classmethod
    def start(cls, n_images: int, *, size: int, device: torch.device) -> "Hypotheses":
        """Return one empty hypothesis for each image; the others do not exist yet."""
        scores = torch.full((n_images, size), -torch.inf, device=device)
        scores[:, 0] = 0.0
        return cls(
            ids=torch.zeros(n_images, size, 0, dtype=torch.long, device=device),
            log_probabilities=torch.zeros(n_images, size, 0, device=device),
            scores=scores,
            ended=torch.zeros(n_images, size, dtype=torch.bool, device=device),
        )

    @property
    def last(self) -> Tensor:
        """`(n_images, size)`: the last entry of each."""
        return self.ids[:, :, -1]

    def extend(self, given: Tensor, bonuses: Tensor) -> tuple["Hypotheses", Tensor]:
        """Return the best extensions by one entry, and which hypothesis each extends, `(n_images, size)`.

        An ended hypothesis stays as it is, and competes with the others.

        Args:
            given: `(n_images, size, n_words)`: log-probabilities.
            bonuses: As `given`: what an entry adds to the score; -inf if it cannot be generated.
        """
        _, size, n_words = given.shape
        # An ended hypothesis has one continuation, which costs nothing.
        staying = torch.full((n_words,), -torch.inf, device=given.device)
        staying[PAD] = 0.0
        ended = self.ended.unsqueeze(2)
        candidates = self.scores.unsqueeze(2) + torch.where(ended, staying, bonuses)
        scores, chosen = candidates.flatten(1).topk(size, dim=1)
        parents, entries = chosen // n_words, chosen % n_words
        entries = torch.where(scores == -torch.inf, PAD, entries)
        taken = given.flatten(1).gather(1, parents * n_words + entries)
        was_ended = self.ended.gather(1, parents)
        taken = torch.where(was_ended | (scores == -torch.inf), 0.0, taken)
        extended = Hypotheses(
            ids=torch.cat([_select(self.ids, parents), entries.unsqueeze(2)], dim=2),
            log_probabilities=torch.cat([_select(self.log_probabilities, parents), taken.unsqueeze(2)], dim=2),
            scores=scores,
            ended=was_ended | (entries == END) | (scores == -torch.inf),
        )
        return extended, parents

    def end(self, given: Tensor) -> "Hypotheses":
        """Return the hypotheses with an end after those that have none, sorted by their scores again."""
        entries = torch.where(self.ended, PAD, END)
        taken = torch.where(self.ended, 0.0, given[:, :, END])
        scores, order = (self.scores + taken).sort(dim=1, descending=True, stable=True)
        return Hypotheses(
            ids=_select(torch.cat([self.ids, entries.unsqueeze(2)], dim=2), order),
            log_probabilities=_select(torch.cat([self.log_probabilities, taken.unsqueeze(2)], dim=2), order),
            scores=scores,
            ended=torch.ones_like(self.ended),
        )


def _select(values: Tensor, rows: Tensor) -> Tensor:
    """Return `(n_images, size, n_steps)`, with the hypotheses of each image in the order of `rows`."""
    return values.gather(1, rows.unsqueeze(2).expand(-1, -1, values.shape[2]))
