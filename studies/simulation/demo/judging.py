"""Answers of simulated raters to the studies of the demo, by kind."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

import numpy as np

from studies.design.study_design import StudyDesign
from studies.enums import RaterOutcome, TaskKind
from studies.models import Item, Judgment, Rater, Study
from studies.simulation.demo.designs import POPULATION_SIZE
from studies.simulation.demo.raters import SimulatedRater, make_population

SIMULATED: Final = {"simulated": True}
_PERSON_OR_NOT: Final = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class DemoItem:
    """An item of the demo, and what simulated raters perceive or write.

    Attributes:
        qualities: The quality of the item, or of both of a pair; empty if captions are written.
        captions: The captions that raters write, a different one each.
    """

    item: Item
    qualities: tuple[float, ...] = ()
    captions: tuple[str, ...] = ()


def judge_study(
    study: Study, judged: Sequence[DemoItem], *, design: StudyDesign, now: datetime, rng: np.random.Generator
) -> None:
    """Store the judgments of the whole population, as imported ones: raters have no assignments."""
    for number, simulated in enumerate(make_population(POPULATION_SIZE, rng=rng), start=1):
        rater = Rater.objects.create(
            study=study, pseudonym=f"simulated-{number}", joined_at=now, finished_at=now, outcome=RaterOutcome.FINISHED
        )
        Judgment.objects.bulk_create(
            Judgment(item=item, rater=rater, value=value, answer=answer, created_at=now)
            for item, value, answer in _answer(study, judged, design, simulated, number=number, rng=rng)
        )


_Answer = tuple[Item, float | None, dict[str, Any]]


def _answer(
    study: Study,
    judged: Sequence[DemoItem],
    design: StudyDesign,
    rater: SimulatedRater,
    *,
    number: int,
    rng: np.random.Generator,
) -> Iterator[_Answer]:
    if study.kind == TaskKind.CAPTION:
        yield from _write(judged, number=number)
    elif study.kind == TaskKind.BEST_WORST:
        for _, group in groupby(judged, key=lambda one: one.item.task_id):
            yield from _compare(list(group), rater, rng=rng)
    else:
        for one in judged:
            yield one.item, _rate(one, study, design, rater, rng=rng), SIMULATED


def _rate(
    one: DemoItem, study: Study, design: StudyDesign, rater: SimulatedRater, *, rng: np.random.Generator
) -> float:
    if study.kind == TaskKind.PAIRWISE:
        return rater.choose(*one.qualities, rng=rng)
    if study.kind == TaskKind.TURING:
        return rater.rate(*one.qualities, scale=_PERSON_OR_NOT, rng=rng)
    if design.scale:
        return rater.rate(*one.qualities, scale=[point.value for point in design.scale], rng=rng)
    perceived = rater.perceive(*one.qualities, rng=rng)
    return round(perceived * design.slider.high) if design.slider else round(perceived, 2)


def _compare(group: Sequence[DemoItem], rater: SimulatedRater, *, rng: np.random.Generator) -> Iterator[_Answer]:
    perceived = [rater.perceive(*one.qualities, rng=rng) for one in group]
    order = np.argsort(perceived, kind="stable")
    for index, one in enumerate(group):
        yield one.item, float(index == order[-1]) - float(index == order[0]), SIMULATED


def _write(judged: Sequence[DemoItem], *, number: int) -> Iterator[_Answer]:
    for one in judged:
        if number <= len(one.captions):
            yield one.item, None, SIMULATED | {"caption": one.captions[number - 1]}
