"""The points of a scatter plot of one metric and the people of one study."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from correlation.csv_lines import write_csv
from correlation.errors import CorrelationInputError
from correlation.protocols.scatter import gather_points
from metrics_plugins.api.errors import UnknownMetric
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.models import Item, Study
from studies.scoring.errors import MissingScores
from studies.shared.errors import Refusal


class NoScatter(Refusal):
    """There is nothing to plot; the message says what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class ScatterPoints:
    """The points: judgments (x) and scores (y), all of shape (n,), with the keys and primary keys of their items.

    `judgment_title` and `score_title` label the axes; `n_missing` observations without score are left out.
    """

    items: npt.NDArray[np.str_]
    judgments: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]
    judgment_title: str
    score_title: str
    n_missing: int = 0
    pks: tuple[int, ...] = ()


MOST_FREQUENT: Final = "most frequent"
"""The majority of ratings is called a judgment, that of pairs a vote."""

TARGET_TITLES: Final[Mapping[str, str]] = {
    "each": "individual judgments",
    "mean": "mean judgment",
    "share-of-yes": "share of yes",
    "majority": "mean vote, +1 for the first caption",
    MOST_FREQUENT: "most frequent judgment",
    "median": "median judgment",
    "z-mean": "mean judgment, standardised by rater",
    "dawid-skene": "judgment, Dawid-Skene model",
    "mace": "judgment, MACE model",
}
"""How a protocol aggregates the judgments of an item -> the label of the axis of people."""


def load_scatter(study: Study, *, metric: str) -> ScatterPoints:
    """Return the observations of one metric under the study's protocol.

    Raises:
        NoScatter: The metric is unknown or has no scores, or the study has no judgments.
    """
    try:
        return make_points(gather_observations(study, metrics=[metric]), metric=metric)
    except (MissingScores, UnknownMetric, CorrelationInputError) as error:
        raise NoScatter(str(error)) from error


def make_points(gathered: StudyObservations, *, metric: str) -> ScatterPoints:
    """Return the points of one of the metrics gathered.

    Raises:
        NoScatter: It is not among them.
        CorrelationInputError: The judgments do not fit the protocol.
    """
    observed = next((each for each in gathered.metrics if each.metric == metric), None)
    if observed is None:
        names = ", ".join(each.metric for each in gathered.metrics)
        raise NoScatter(f"study {gathered.study.name} has no scores of {metric!r}; it has scores of: {names}")
    protocol = gathered.protocol
    points = gather_points(protocol, gathered.judgments.make_data(observed.scores, protocol))
    keys = dict(Item.objects.filter(task__study=gathered.study).values_list("pk", "key"))
    what = f"{metric}, first caption minus second" if protocol.is_pairwise else metric
    pooled = protocol.ratings if protocol.is_pairwise or protocol.ratings != "majority" else MOST_FREQUENT
    pks = tuple(map(int, points.items.tolist()))
    return ScatterPoints(
        items=np.asarray([keys[pk] for pk in pks], dtype=np.str_),
        judgments=points.judgments,
        scores=points.scores,
        judgment_title=f"{TARGET_TITLES[pooled]} ({protocol.reference})",
        score_title=what if observed.run.higher_is_better else f"{what}, negated",
        n_missing=points.n_missing,
        pks=pks,
    )


def write_points(points: ScatterPoints) -> Iterator[str]:
    """Yield the lines of a CSV file with the points of a scatter plot."""
    rows = zip(points.items.tolist(), points.judgments.tolist(), points.scores.tolist(), strict=True)
    return write_csv(("item", "judgment", "score"), rows)
