"""The multiverse of a study: the ranks of its metrics under every applicable aggregation, level and coefficient."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from json import dumps
from math import isnan
from pathlib import Path
from types import MappingProxyType

import numpy as np

from correlation.coefficients.bivariate import COEFFICIENTS
from correlation.correlate import LEVELS
from correlation.errors import CorrelationInputError
from correlation.protocols.aggregation import AGGREGATIONS
from correlation.protocols.inputs import RatedItems
from correlation.protocols.multiverse import EACH, Multiverse, build_multiverse
from correlation.protocols.rated_items import select_judgments
from execution.whole_files import write_whole
from studies.analysis.agreement import MOST_LEVELS
from studies.analysis.correlations import StudyObservations
from studies.shared.files import check_output

NEEDS_PERSONS = ("z-mean", "dawid-skene", "mace")
"""Aggregations that need to know which judgments are by the same rater."""

NEEDS_LEVELS = ("majority", "dawid-skene", "mace")
"""Aggregations for scales, since judgments on a slider are rarely equal."""

FEWEST_SYSTEMS = 3


def rank_observations(
    gathered: StudyObservations, *, aggregations: Sequence[str] = (), measures: Sequence[str] = ()
) -> Multiverse:
    """Rank the metrics of a study in every universe.

    Rows and references are those of the protocol; aggregation and measures vary.

    Args:
        gathered: Judgments and scores.
        aggregations: By default all that fit the raters and the scale.
        measures: Such as `item:kendall-c`; by default every coefficient at every level of the study.

    Raises:
        CorrelationInputError: There is no metric, or the study has pairs or several questions.
    """
    protocol = gathered.protocol
    if not gathered.metrics:
        raise CorrelationInputError(f"study {gathered.study.name} has no metric with scores")
    if protocol.is_pairwise or len(protocol.criteria) > 1:
        what = "choices between two captions" if protocol.is_pairwise else f"{len(protocol.criteria)} criteria"
        raise CorrelationInputError(
            f"study {gathered.study.name}: a multiverse needs ratings, but {protocol.name} has {what}"
        )
    scores = {each.metric: each.scores[:, :, 0].mean(axis=0) for each in gathered.metrics}
    first = gathered.judgments.make_data(gathered.metrics[0].scores, protocol)
    if not isinstance(first, RatedItems):
        raise TypeError(f"a protocol for ratings has RatedItems, got {type(first).__name__}")
    criterion = protocol.criteria[0] if protocol.criteria else None
    table = gathered.judgments.table.keep(select_judgments(protocol, first, part=criterion))
    n_systems = 0 if table.system is None else len(np.unique(table.system))
    return build_multiverse(
        scores,
        table,
        aggregations=aggregations or choose_aggregations(gathered),
        measures=measures or choose_measures(n_systems),
    )


def choose_aggregations(gathered: StudyObservations) -> tuple[str, ...]:
    """Return the applicable aggregations; some need to identify raters, others a scale with few values."""
    judgments = gathered.judgments
    is_slider = len(np.unique(judgments.table.value)) > MOST_LEVELS
    return tuple(
        name
        for name in (EACH, *AGGREGATIONS)
        if not (name in NEEDS_PERSONS and judgments.has_placeholders) and not (name in NEEDS_LEVELS and is_slider)
    )


def choose_measures(n_systems: int) -> tuple[str, ...]:
    """Return every coefficient at item level, within images and, with enough systems, over systems and over cells."""
    levels = [level for level in LEVELS if level in ("item", "group") or n_systems >= FEWEST_SYSTEMS]
    return tuple(f"{level}:{coefficient}" for level in levels for coefficient in COEFFICIENTS)


def write_multiverse(multiverse: Multiverse, path: Path | None, *, title: str) -> None:
    """Write all universes as JSON, or the figure, depending on the file extension."""
    if path is not None:
        write_whole(path, FORMS[path.suffix](multiverse, title))


def _print_json(multiverse: Multiverse, title: str) -> bytes:
    record = asdict(multiverse)
    for universe in record["universes"]:
        universe["values"] = [None if isnan(value) else value for value in universe["values"]]
    return (dumps({"study": title, **record}, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _draw(file_format: str, multiverse: Multiverse, title: str) -> bytes:
    from correlation.figures import draw_multiverse, render

    return render(draw_multiverse(multiverse, title=title), file_format)


FORMS: Mapping[str, Callable[[Multiverse, str], bytes]] = MappingProxyType(
    {".json": _print_json, **{f".{name}": partial(_draw, name) for name in ("svg", "png", "pdf")}}
)
"""File extension -> the content of the file."""

check_path = partial(check_output, formats=FORMS, what="a multiverse", of="the multiverse")
"""Raises an error, before anything is computed, if a file cannot be written."""
