"""Which metrics of a study differ by more than chance."""

from collections.abc import Sequence

from correlation.comparison.compare import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.reports import Report
from studies.analysis.analysis import StudyObservations
from studies.analysis.reporting import Watcher, report_observations


def compare_observations(
    gathered: StudyObservations,
    *,
    request: ComparisonRequest,
    seed: int = 0,
    watch: Watcher | None = None,
    processes: int = 1,
) -> Report:
    """Test every difference between the metrics at every measure of the protocol.

    Args:
        gathered: Judgments and the scores of two metrics at least.
        request: The test, its correction over all pairs, and what a bootstrap resamples.
        seed: Fixes every draw.
        watch: Told before every step what begins, how many steps are done and how many there are.
        processes: How many may resample; more than one change no bit of the report.

    Raises:
        CorrelationInputError: There are fewer than two metrics, the test does not fit the protocol, or raters that
            are no persons are to be resampled.
    """
    return report_observations(gathered, comparison=request, ceilings=(), seed=seed, watch=watch, processes=processes)


def check_metrics(names: Sequence[str]) -> None:
    """Refuse one metric, or one metric twice: there is nothing to compare it with."""
    if len(names) == 1 or len(set(names)) < len(names):
        raise CorrelationInputError(f"name two or more different metrics, or none for all, got: {', '.join(names)}")
