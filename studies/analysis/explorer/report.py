"""Reports of the explorer, first without and later with intervals, cached until something changes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from django.core.cache import cache

from correlation.errors import CorrelationInputError
from correlation.protocols.multiverse import Multiverse
from correlation.reports import Report
from studies.analysis.correlations import StudyObservations, sign_left_out
from studies.analysis.explorer.choice import Choice, change_protocol
from studies.analysis.explorer.loaded_study import NothingToExplore, OpenedStudy, load_part
from studies.analysis.fingerprint import hash_facts
from studies.analysis.multiverse import rank_observations
from studies.analysis.reports import Publisher, Watcher, report_observations
from studies.analysis.scatter.points import NoScatter, ScatterPoints, make_points
from studies.design.protocols import find_level
from studies.scoring.errors import MissingScores
from studies.scoring.metric_choices import find_disabled
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.references import DRAW_SEED
from studies.shared.problems import read_problem

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Explored:
    """A report and its inputs.

    Attributes:
        report: Values and human ceilings; intervals, differences and letters once they are computed.
        judged: The name of the study of the judgments.
        n_items, n_judgments, n_raters: The numbers in the slice.
        n_excluded: The number of excluded raters in the slice.
        infinite: Metrics with infinite scores, which count as missing, and the numbers of these.
        disabled: Metrics that are disabled in the study.
    """

    report: Report
    judged: str
    n_items: int
    n_judgments: int
    n_raters: int
    n_excluded: int
    infinite: tuple[tuple[str, int], ...] = ()
    disabled: frozenset[str] = frozenset()

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(metric.id for metric in self.report.metrics)


def explore(opened: OpenedStudy, choice: Choice) -> Explored:
    """Return the report without intervals.

    Raises:
        NothingToExplore: There are no judgments or scores for the options, or the options contradict each other.
    """
    return _keep("explored", opened, replace(choice, has_intervals=False), _make_report)


def list_unscored(opened: OpenedStudy, explored: Explored) -> list[str]:
    """Return the installed metrics that fit the study and have no scores for it.

    This is not cached, so that newly installed plugins do not invalidate the report.
    """
    level = find_level(opened.judged)
    fitting = [entry.info.id for entry in load_catalog() if entry.info.level is level]
    return [name for name in fitting if name not in explored.metrics and name not in explored.disabled]


def explore_whole(
    opened: OpenedStudy, choice: Choice, *, watch: Watcher | None = None, publish: Publisher | None = None
) -> Explored:
    """Return the report with the requested intervals and differences, which may take a minute.

    `watch` and `publish` are as for `report_observations`. Raises the errors of `explore`.
    """

    def make(opened: OpenedStudy, choice: Choice) -> Explored:
        return _make_report(opened, choice, watch=watch, publish=publish)

    return _keep("explored", opened, choice, make)


def find_whole(opened: OpenedStudy, choice: Choice) -> Explored | None:
    """Return the report with intervals if it is cached, else None."""
    found: Explored | None = cache.get(_make_key("explored", opened, choice))
    return found


def explore_multiverse(opened: OpenedStudy, choice: Choice) -> Multiverse:
    """Return the ranks of all metrics under every way to analyse the slice; raises the errors of `explore`."""
    return _keep("multiverse", opened, drop_measures(choice), _rank)


def find_multiverse(opened: OpenedStudy, choice: Choice) -> Multiverse | None:
    """Return the multiverse if it is cached, else None."""
    found: Multiverse | None = cache.get(_make_key("multiverse", opened, drop_measures(choice)))
    return found


def load_points(opened: OpenedStudy, choice: Choice, *, metric: str) -> ScatterPoints:
    """Return the points of a metric's scatter plot; raises the errors of `explore`, also if it has no scores."""
    with _tell_problems(opened):
        gathered = load_part(opened, change_protocol(opened.base, choice), choice.slice)
        return make_points(gathered, metric=metric)


def drop_measures(choice: Choice) -> Choice:
    """Return the choice without options that a multiverse varies or does not use."""
    kept = Choice(protocol=choice.protocol, rows=choice.rows, references=choice.references, slice=choice.slice)
    return replace(kept, has_intervals=False)


def identify(kind: str, opened: OpenedStudy, choice: Choice) -> str:
    """Return a name for the options in the current state of the study."""
    return hash_facts(kind, opened.study.pk, opened.fingerprint, choice)


def _make_key(kind: str, opened: OpenedStudy, choice: Choice) -> str:
    return f"{kind}:{identify(kind, opened, choice)}"


def _keep(kind: str, opened: OpenedStudy, choice: Choice, make: Callable[[OpenedStudy, Choice], Made]) -> Made:
    key = _make_key(kind, opened, choice)
    kept: Made | None = cache.get(key)
    if kept is None:
        with _tell_problems(opened):
            kept = make(opened, choice)
        cache.set(key, kept)
    return kept


def _make_report(
    opened: OpenedStudy, choice: Choice, *, watch: Watcher | None = None, publish: Publisher | None = None
) -> Explored:
    gathered = load_part(opened, change_protocol(opened.base, choice), choice.slice)
    if not gathered.metrics:
        raise NothingToExplore("No installed metric can score the items of this study.")
    chosen = choice.choose_inference(gathered.study, gathered.protocol, n_metrics=len(gathered.metrics))
    report = report_observations(
        gathered, interval=chosen.interval, comparison=chosen.comparison, seed=choice.seed, watch=watch, publish=publish
    )
    table = gathered.judgments.table
    return Explored(
        report=replace(report, protocol=_sign_part(gathered, choice)),
        judged=gathered.study.name,
        n_items=len(np.unique(table.item)),
        n_judgments=len(table.value),
        n_raters=len(np.unique(table.rater)),
        n_excluded=gathered.judgments.n_excluded,
        infinite=gathered.infinite,
        disabled=find_disabled(gathered.study),
    )


def _rank(opened: OpenedStudy, choice: Choice) -> Multiverse:
    return rank_observations(load_part(opened, change_protocol(opened.base, choice), choice.slice))


def _sign_part(gathered: StudyObservations, choice: Choice) -> str:
    """Return the protocol's signature with everything else needed to reproduce the numbers, such as exclusions."""
    protocol = gathered.protocol
    signed = [protocol.signature]
    signed += [f"seed:{DRAW_SEED}"] if protocol.references.kind == "draw" else []
    signed += sign_left_out(gathered.judgments)
    signed += [choice.slice.signature] if choice.slice.signature else []
    return "|".join(signed)


@contextmanager
def _tell_problems(opened: OpenedStudy) -> Iterator[None]:
    if opened.problem:
        raise NothingToExplore(opened.problem)
    try:
        yield
    except (MissingScores, CorrelationInputError, NoScatter) as error:
        raise NothingToExplore(read_problem(error)) from error
