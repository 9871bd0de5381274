"""Tests which metrics of a study differ significantly."""

from collections.abc import Sequence

from correlation.comparison.compare import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.reports import Report
from studies.analysis.correlations import StudyObservations
from studies.analysis.reports import Watcher, report_observations


def compare_observations(
    gathered: StudyObservations,
    *,
    request: ComparisonRequest | None,
    seed: int = 0,
    watch: Watcher | None = None,
    processes: int = 1,
) -> Report:
    """Test every difference between metrics at every measure of the protocol.

    Args:
        gathered: Judgments and the scores of at least two metrics.
        request: The test, the correction over all pairs, and what a bootstrap resamples; None with fewer than two
            metrics.
        seed: The seed of all draws.
        watch: Called before every step with its description, the number of steps done and the total.
        processes: The number of processes for resampling; the report does not depend on it.

    Raises:
        CorrelationInputError: There are fewer than two metrics, the test does not fit the protocol, or placeholder
            raters are to be resampled.
    """
    return report_observations(gathered, comparison=request, ceilings=(), seed=seed, watch=watch, processes=processes)


def check_metrics(names: Sequence[str]) -> None:
    """Raise an error for a single metric, or one that is named twice."""
    if len(names) == 1 or len(set(names)) < len(names):
        raise CorrelationInputError(f"must be two or more different metrics, or none for all, got: {', '.join(names)}")
