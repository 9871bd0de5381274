"""The forest plot of systems: the number by which each is ranked, with interval and letters."""

from typing import Any

from correlation.errors import CorrelationInputError
from correlation.figures.forest import describe_row, frame_rows
from correlation.figures.forest_rows import find_layout
from correlation.ranking.values import SystemRanking
from correlation.reports.layout import CORRECTIONS


def draw_ranking(ranking: SystemRanking, *, title: str, axis: str, size: str = "wide") -> dict[str, Any]:
    """Return the specification of the figure, with the systems from the best to the worst.

    Parameters
    ----------
    ranking
        A ranking with defined values.
    title, axis
        The title of the figure, and of the axis with the values.
    size
        A name in `correlation.figures.forest_rows.LAYOUTS`.

    Raises
    ------
    CorrelationInputError
        The values are undefined, or there is no system.
    """
    rows = [each for each in ranking.systems if each.value is not None]
    if not rows:
        raise CorrelationInputError(f"there is nothing to draw: {ranking.reason or 'no system has a value'}")
    return frame_rows(
        [describe_row(row.system, row.value, row.low, row.high, letters=row.letters) for row in rows],
        title=title,
        notes=explain_marks(ranking),
        axis=axis,
        layout=find_layout(size),
    )


def explain_marks(ranking: SystemRanking) -> tuple[str, ...]:
    """Return sentences that explain intervals and letters."""
    request, sentences = ranking.request, []
    if any(each.low is not None for each in ranking.systems):
        over = " x ".join(ranking.resampled)
        share = f"{100 * (1 - request.alpha):g} %"
        sentences.append(f"Intervals: {share}, bootstrap over {over}, {request.n_resamples:,} resamples.")
    if ranking.is_tested:
        sentences.append(
            f"Systems that share a letter do not differ significantly ({CORRECTIONS[request.correction]}, alpha "
            f"{request.alpha:g})."
        )
    return tuple(sentences)
