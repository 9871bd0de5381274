"""Count the independent units behind a number: images, or systems at system level."""

from collections.abc import Sequence

import numpy as np

from correlation.defaults import SYSTEM_UNIT, UNIT, explain_few
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.judged_pairs import average_votes
from correlation.protocols.rated_items import select_judgments
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import MEAN, TOTAL, ResultMeasure
from correlation.validation import BoolArray


def count_units(protocol: Protocol, data: Sequence[RatedItems | JudgedPairs], measure: ResultMeasure) -> int:
    """Return the number of different images (at system level: systems) with judgments and scores of all these metrics.

    All data must have the same judgments. 0 where the keys of systems are missing.
    """
    first = data[0]
    scored = np.all([_find_scored(each) for each in data], axis=0)
    if isinstance(first, JudgedPairs):
        return len(np.unique(first.votes.image[scored & _find_voted(protocol, first, measure)]))
    table = first.judgments
    part = TOTAL if measure.category == MEAN else measure.category
    item = table.item[select_judgments(protocol, first, part=part)]
    keys = table.system if measure.level == "system" else table.image
    return 0 if keys is None else len(np.unique(keys[item[scored[item]]]))


def warn_of_few(protocol: Protocol, data: Sequence[RatedItems | JudgedPairs], measure: ResultMeasure) -> str | None:
    """Return the sentence of `explain_few` for a measure with too few units, else None."""
    unit = SYSTEM_UNIT if measure.level == "system" else UNIT
    return explain_few(count_units(protocol, data, measure), unit)


def _find_scored(data: RatedItems | JudgedPairs) -> BoolArray:
    missing = np.isnan(data.scores)
    # Of pairs, the scores of both captions are needed.
    axes = (0, 2) if isinstance(data, JudgedPairs) else (0,)
    return np.asarray(~missing.any(axis=axes), dtype=np.bool_)


def _find_voted(protocol: Protocol, data: JudgedPairs, measure: ResultMeasure) -> BoolArray:
    mean_vote = average_votes(data.votes)
    voted: BoolArray = ~np.isnan(mean_vote)
    if measure.coefficient == "accuracy":
        # Pairs on which people are evenly split give no metric a credit.
        voted &= mean_vote != 0
    if data.votes.category is not None and measure.category is not None:
        wanted = protocol.categories if measure.category in (MEAN, TOTAL) else (measure.category,)
        voted &= np.isin(data.votes.category, wanted)
    return voted
