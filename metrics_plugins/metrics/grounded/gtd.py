"""The GTD evaluation: grammaticality, truthfulness and diversity of captions about known worlds (Xie et al. 2019)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricCard, MetricError, MetricInfo, Scores
from metrics_plugins.api.parameters import parameter
from metrics_plugins.api.worlds import CaptionWorld
from metrics_plugins.metrics.grounded import cards

_XIE: Final = (
    "Xie et al. (2019), Going beneath the surface: "
    "evaluating image captioning for grammaticality, truthfulness and diversity"
)
_CANDIDATE_AND_WORLD: Final = frozenset({Input.CANDIDATE, Input.WORLD})


def _declare(
    metric_id: str, title: str, level: Level, *, inputs: frozenset[Input], card: MetricCard, high: float = 1.0
) -> MetricInfo:
    return MetricInfo(
        id=metric_id,
        title=title,
        level=level,
        inputs=inputs,
        higher_is_better=True,
        bounds=(0.0, high),
        version="1",
        citation=_XIE,
        card=card,
    )


class GtdGrammatical(Metric):
    """Whether a caption is grammatical: 1, or 0; the score of a system is the share of its grammatical captions.

    The grammar is that of the row's world. The paper uses the English Resource Grammar; the closed grammar of
    `captioning.worlds` accepts fewer sentences, so a report should name the grammar.
    """

    info = _declare(
        "gtd-grammatical", "Grammaticality (GTD)", Level.SEGMENT, inputs=_CANDIDATE_AND_WORLD, card=cards.GRAMMATICAL
    )

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [float(value is not None) for value in _derive_values(batch)])


@dataclass(frozen=True, kw_only=True)
class GtdTruthful(Metric):
    """Whether a caption is true of its world: 1, or 0 if it is false or ambiguous.

    The paper does not say whether the share of true captions is over all captions or over the grammatical ones. With
    `over=all` an ungrammatical caption scores 0; with `over=grammatical` it has no score (NaN).
    """

    info = _declare(
        "gtd-truthful", "Truthfulness (GTD)", Level.SEGMENT, inputs=_CANDIDATE_AND_WORLD, card=cards.TRUTHFUL
    )

    over: str = parameter("all", rule="all or grammatical", holds=lambda name: name in ("all", "grammatical"))

    def score(self, batch: Batch) -> Scores:
        ungrammatical = 0.0 if self.over == "all" else np.nan
        values = [ungrammatical if value is None else float(value == 1) for value in _derive_values(batch)]
        return Scores.make(batch.keys, values)


@dataclass(frozen=True, kw_only=True)
class GtdDiversity(Metric):
    """The number of different constructions in the captions of a system, divided by that in the references.

    A construction is a caption with each object reduced to the attributes that describe it, such as `a <color>
    <shape>`. The text of the paper does not contain the formula; this is its natural reading: distinct constructions
    over all rows. With `references=all` they are counted in all references, with `references=first` in the first one
    of each row. Ungrammatical captions have no construction. The score may exceed 1; without a grammatical reference
    it is NaN.
    """

    info = _declare(
        "gtd-diversity",
        "Diversity ratio (GTD)",
        Level.CORPUS,
        inputs=_CANDIDATE_AND_WORLD | {Input.REFERENCES},
        card=cards.DIVERSITY,
        high=float("inf"),
    )

    references: str = parameter("all", rule="all or first", holds=lambda name: name in ("all", "first"))

    def score(self, batch: Batch) -> Scores:
        worlds = _list_worlds(batch)
        most = None if self.references == "all" else 1
        observed = _list_constructions(worlds, ([text] for text in batch.candidates))
        possible = _list_constructions(worlds, (texts[:most] for texts in batch.references))
        return Scores.make([Level.CORPUS], [len(observed) / len(possible) if possible else np.nan])


def _list_constructions(worlds: Sequence[CaptionWorld], captions: Iterable[Sequence[str]]) -> set[str]:
    found = {world.find_construction(text) for world, texts in zip(worlds, captions, strict=True) for text in texts}
    return {each for each in found if each is not None}


def _derive_values(batch: Batch) -> Sequence[int | None]:
    """Return the value of each row's candidate in its world, computed once for all metrics."""
    return batch.derive("gtd values", _evaluate)


def _evaluate(batch: Batch) -> Sequence[int | None]:
    return tuple(
        world.evaluate_caption(text) for world, text in zip(_list_worlds(batch), batch.candidates, strict=True)
    )


def _list_worlds(batch: Batch) -> Sequence[CaptionWorld]:
    worlds = []
    for key, world in zip(batch.keys, batch.worlds, strict=True):
        if not isinstance(world, CaptionWorld):
            raise MetricError(f"row {key!r}: the world must be a CaptionWorld, got {type(world).__name__}")
        worlds.append(world)
    return worlds
