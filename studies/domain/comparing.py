"""Which metrics of a study differ by more than chance."""

from collections.abc import Callable, Sequence

from correlation.comparison import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.reports import Report, build_report
from studies.domain.analysis import StudyObservations, refuse_placeholders, sign_run

Watcher = Callable[[str, int, int], None]


def compare_observations(
    gathered: StudyObservations,
    *,
    request: ComparisonRequest,
    seed: int = 0,
    watch: Watcher | None = None,
) -> Report:
    """Test every difference between the metrics at every measure of the protocol.

    Args:
        gathered: Judgments and the scores of two metrics at least.
        request: The test, its correction over all pairs, and what a bootstrap resamples.
        seed: Fixes every draw.
        watch: Told before every step what begins, how many steps are done and how many there are.

    Raises:
        CorrelationInputError: There are fewer than two metrics, the test does not fit the protocol, or raters that
            are no persons are to be resampled.
    """
    if len(gathered.metrics) < 2:
        raise CorrelationInputError(
            f"study {gathered.study.name}: two metrics with scores are needed for a comparison, "
            f"there are {len(gathered.metrics)}; manage.py score {gathered.study.name}"
        )
    refuse_placeholders(gathered, request.resampled)
    return build_report(
        gathered.protocol,
        {
            observed.metric: gathered.judgments.make_data(observed.scores, gathered.protocol)
            for observed in gathered.metrics
        },
        rng=seed,
        resamples=request.n_resamples,
        clusters=request.resampled or None,
        method=None,
        test=request.test,
        correction=request.correction,
        alpha=request.alpha,
        ceilings=(),
        signatures={observed.metric: sign_run(observed.run) for observed in gathered.metrics},
        title=gathered.study.name,
        watch=watch,
    )


def check_metrics(names: Sequence[str]) -> None:
    """Refuse one metric, or one metric twice: there is nothing to compare it with."""
    if len(names) == 1 or len(set(names)) < len(names):
        raise CorrelationInputError(f"name two or more different metrics, or none for all, got: {', '.join(names)}")
