"""Turn what is asked for into an interval and a test; whatever is not asked for is the default of the protocol."""

from dataclasses import dataclass
from math import comb
from typing import Final

from correlation.comparison.methods import ComparisonRequest, choose_resamples
from correlation.defaults import (
    ALPHA,
    CORRECTION,
    METHOD,
    RESAMPLES,
    SYSTEM_METHOD,
    SYSTEM_TEST,
    SYSTEM_UNIT,
    TEST,
    UNIT,
)
from correlation.protocols.recipe import Protocol
from correlation.resampling.intervals import IntervalRequest

NONE: Final = "none"
"""The name of no interval and of no test."""
WITHOUT_UNITS: Final = ("fisher",)
"""Methods that resample nothing."""


@dataclass(frozen=True, slots=True)
class Inference:
    """The interval of every value and the test of every difference; None for none."""

    interval: IntervalRequest | None
    comparison: ComparisonRequest | None


def is_of_systems(protocol: Protocol) -> bool:
    """Return whether all numbers of the protocol are over systems."""
    return all(measure.level == "system" for measure in protocol.measures)


def choose_test(protocol: Protocol) -> str:
    """Return the default test, which swaps the units that the default interval resamples."""
    return SYSTEM_TEST if is_of_systems(protocol) else TEST


def choose_inference(
    protocol: Protocol,
    *,
    n_metrics: int,
    method: str = "",
    resampled: tuple[str, ...] = (),
    test: str = "",
    correction: str = "",
    resamples: int | None = None,
    alpha: float = ALPHA,
) -> Inference:
    """Return the interval and the test that are asked for, with the defaults for everything left empty.

    Parameters
    ----------
    protocol
        Where all its measures are at system level, the default is the jackknife over systems and `perm-system`,
        elsewhere the percentile bootstrap over images and `perm-input`.
    n_metrics
        The number of metrics; with fewer than two, the default is no test.
    method
        As in `IntervalRequest`, or `none`.
    resampled
        What the interval and a bootstrap test resample; by default the images or systems of the default interval.
    test, correction, alpha
        As in `ComparisonRequest`; the test may be `none`.
    resamples
        The number of resamples of both; by default `RESAMPLES`, and for the test what `choose_resamples` returns.

    Raises
    ------
    CorrelationInputError, UnknownNameError
        The options contradict each other, or a name is unknown.

    Examples
    --------
    >>> from correlation.protocols.named import get_protocol
    >>> chosen = choose_inference(get_protocol("flickr8k-expert"), n_metrics=10)
    >>> chosen.interval.signature
    'ci:percentile|resampled:images|n:1000|confidence:0.95'
    >>> chosen.comparison.signature
    'test:perm-input|n:2000|correction:holm|alpha:0.05'
    >>> choose_inference(get_protocol("coco-2015"), n_metrics=10, test="none").interval.signature
    'ci:jackknife|resampled:systems|confidence:0.95'
    """
    systems = is_of_systems(protocol)
    axes = resampled or ((SYSTEM_UNIT,) if systems else (UNIT,))
    chosen_method = method or (SYSTEM_METHOD if systems and not resampled else METHOD)
    interval = None
    times = RESAMPLES if resamples is None else resamples
    if chosen_method != NONE:
        units = () if chosen_method in WITHOUT_UNITS else axes
        interval = IntervalRequest(chosen_method, units, times, confidence=1 - alpha)
    chosen_test = test or (choose_test(protocol) if n_metrics > 1 else NONE)
    comparison = None
    if chosen_test != NONE:
        comparison = ComparisonRequest(
            chosen_test,
            axes if chosen_test == "bootstrap" else (),
            n_resamples=choose_resamples(comb(n_metrics, 2), alpha=alpha) if resamples is None else resamples,
            correction=correction or CORRECTION,
            alpha=alpha,
        )
    return Inference(interval, comparison)
