"""Rankings of systems as values. None means undefined or not computed."""

from dataclasses import dataclass
from typing import Final

from correlation.comparison.multiple import CORRECTIONS
from correlation.errors import CorrelationInputError, check_name

MEAN: Final = "mean"
WINS: Final = "win-share"
STRENGTH: Final = "bradley-terry"
MEASURES: Final = (MEAN, WINS, STRENGTH)


@dataclass(frozen=True, slots=True)
class RankingRequest:
    """How intervals and tests are computed.

    Attributes
    ----------
    n_resamples
        Number of bootstrap resamples, at least 2.
    correction
        `holm`, `bh` or `none`, over all pairs of systems.
    alpha
        Significance level of tests and letters; 1 - alpha is the confidence of intervals.
    seed
        An integer that reproduces all numbers.
    """

    n_resamples: int
    correction: str
    alpha: float
    seed: int

    def __post_init__(self) -> None:
        check_name("correction", self.correction, CORRECTIONS)
        if self.n_resamples < 2:
            raise CorrelationInputError(f"`n_resamples` must be at least 2, got {self.n_resamples}")
        if not 0 < self.alpha < 1:
            raise CorrelationInputError(f"`alpha` must be in (0, 1), got {self.alpha}")


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system.

    Attributes
    ----------
    system
        Its name.
    value, low, high
        The number by which it is ranked, higher is better, and the bounds of its interval.
    error
        The standard error.
    letters
        Systems that share a letter do not differ significantly; empty without tests.
    n, n_images, n_raters
        The number of its judgments (comparisons), and of the images and raters that they come from.
    """

    system: str
    value: float | None
    low: float | None
    high: float | None
    error: float | None
    letters: str
    n: int
    n_images: int
    n_raters: int


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """The value of the first system minus that of the second, with interval, two-sided p-value and corrected p-value.

    Bounds are at the uncorrected level. With Holm's or another correction, a difference can be undecided although its
    interval excludes 0.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class SystemRanking:
    """Systems from the best to the worst by one measure.

    Attributes
    ----------
    measure
        `mean`, `win-share` or `bradley-terry`.
    criterion
        The criterion of the judgments; None if there is only one.
    systems
        Best first, undefined ones last.
    differences
        All pairs, the better system first; empty if they are not tested.
    resampled
        What intervals and tests resample: images, or images and raters.
    n, n_images, n_raters
        The number of all judgments (comparisons), and of their images and raters.
    reason
        Why the values are undefined; None if they are defined.
    cautions, notes
        Sentences without their full stop: what must be read before the numbers, and what explains them.
    request
        How intervals and tests were computed.
    """

    measure: str
    criterion: str | None
    systems: tuple[RankedSystem, ...]
    differences: tuple[SystemDifference, ...]
    resampled: tuple[str, ...]
    n: int
    n_images: int
    n_raters: int
    reason: str | None
    cautions: tuple[str, ...]
    notes: tuple[str, ...]
    request: RankingRequest

    @property
    def is_tested(self) -> bool:
        """Whether differences were tested."""
        return bool(self.differences)

    @property
    def signature(self) -> str:
        """Return all choices behind the numbers, to print under a table."""
        parts = [f"ranking:{self.measure}"]
        parts += [f"criterion:{self.criterion}"] if self.criterion else []
        parts += [f"ci:bootstrap-t|resampled:{'+'.join(self.resampled)}|n:{self.request.n_resamples}"]
        parts += [f"correction:{self.request.correction}|alpha:{self.request.alpha:g}|seed:{self.request.seed}"]
        return "|".join(parts)
