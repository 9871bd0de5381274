"""The input of a protocol: judgments with the scores of one metric."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray, as_flags, as_floats, check_length


@dataclass(frozen=True, slots=True, eq=False)
class RatedItems:
    """Rated candidates, or caption sets, with the scores of one metric.

    Attributes
    ----------
    judgments
        Ratings; `image` is the group of each item, `system` is required at system and global level.
    scores
        Shape (n_draws, n_items) in the order of `judgments.items`; one draw unless references are sampled; NaN =
        missing.
    in_references
        Shape (n_items,): whether the candidate is one of its image's own references; None if unknown.
    """

    judgments: JudgmentTable
    scores: FloatArray
    in_references: BoolArray | None

    @classmethod
    def build(
        cls, judgments: JudgmentTable, *, scores: ArrayLike, in_references: ArrayLike | None = None
    ) -> "RatedItems":
        """Validate the arguments; `scores` has shape (n_items,) or (n_draws, n_items)."""
        n_items = len(judgments.items)
        flags = None if in_references is None else as_flags("in_references", in_references)
        if flags is not None:
            check_length("in_references", len(flags), n_items, "item")
        return cls(judgments, _as_draws(scores, (n_items,)), flags)

    def with_scores(self, scores: ArrayLike) -> "RatedItems":
        """Return the same judgments with the scores of another metric."""
        return replace(self, scores=_as_draws(scores, (len(self.judgments.items),)))


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """Pairs of captions of an image, with votes and the scores of one metric for both captions.

    Attributes
    ----------
    votes
        A table whose items are the pairs: value +1 chooses the first caption, -1 the second, 0 neither.
    scores
        Shape (n_draws, n_pairs, 2): scores of the first and the second caption; NaN = missing.
    """

    votes: JudgmentTable
    scores: FloatArray

    @classmethod
    def build(cls, votes: JudgmentTable, *, scores: ArrayLike) -> "JudgedPairs":
        """Validate the arguments; `scores` has shape (n_pairs, 2) or (n_draws, n_pairs, 2)."""
        strange = np.flatnonzero(~np.isin(votes.value, (-1, 0, 1)))
        if len(strange):
            row = int(strange[0])
            pair = str(votes.items[votes.item[row]])
            raise CorrelationInputError(
                f"a vote is +1, -1 or 0, got {votes.value[row]:g} at index {row} (pair {pair!r})"
            )
        return cls(votes, _as_draws(scores, (len(votes.items), 2)))

    def with_scores(self, scores: ArrayLike) -> "JudgedPairs":
        """Return the same votes with the scores of another metric."""
        return replace(self, scores=_as_draws(scores, (len(self.votes.items), 2)))


def _as_draws(scores: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    ndim = np.ndim(np.asarray(scores))
    draws = as_floats("scores", scores, ndim=len(shape) if ndim == len(shape) else len(shape) + 1)
    if ndim == len(shape):
        draws = draws[None]
    if draws.shape[1:] != shape or len(draws) == 0:
        raise CorrelationInputError(f"`scores` must have shape {shape} or (n_draws, *{shape}), got {np.shape(scores)}")
    return draws
