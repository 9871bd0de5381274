"""The cached overview for the explorer's page; computed by a job if the study is large."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from correlation.figures.scatter import SIZES
from correlation.protocols.named import Protocol
from jobs.running_job import JobHandle
from studies.analysis.cached_results import CachedValue, StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.correlations import find_judged_study
from studies.analysis.explorer.choice import Choice, find_base, read_json
from studies.analysis.explorer.loaded_study import Facets, NothingToExplore, OpenedStudy, open_study
from studies.analysis.explorer.report import Explored, explore, load_points
from studies.analysis.explorer.tables import PlainTable, tabulate_scatter
from studies.analysis.figures import draw_scatter
from studies.analysis.fingerprint import hash_facts
from studies.models import Study
from studies.shared.problems import read_problem


@dataclass(frozen=True, slots=True)
class Asked:
    """A study and a protocol, before reading judgments.

    Attributes:
        study: The requested study.
        protocol: The requested protocol; empty for the study's own.
        base: The protocol.
        inputs: The current state of the study whose judgments are used.
    """

    study: Study
    protocol: str
    base: Protocol
    inputs: StudyInputs


@dataclass(frozen=True, slots=True)
class Opening:
    """The fields of an `OpenedStudy` that are expensive to compute."""

    fingerprint: str
    facets: Facets
    problem: str


@dataclass(frozen=True, slots=True)
class Look:
    """The report for some options without intervals, and the scatter plot of a metric.

    Attributes:
        fingerprint: A digest of everything that it depends on.
        explored: The report; None if there is a problem.
        metric: The metric of the scatter plot.
        scatter: The data of the scatter plot.
        pictures: The specification of the scatter plot by its size.
        problem: Why there is nothing; empty if there is something.
    """

    fingerprint: str
    explored: Explored | None = None
    metric: str = ""
    scatter: PlainTable | None = None
    pictures: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    problem: str = ""


def ask_for(study: Study, *, protocol: str = "") -> Asked:
    """Return the study and protocol to open.

    Raises:
        CorrelationInputError: The protocol does not exist, or belongs to several studies.
    """
    base = find_base(study, protocol)
    return Asked(study, protocol, base, StudyInputs(find_judged_study(study, base)))


def find_opened(asked: Asked, *, now: datetime, wait: bool = False, is_poll: bool = False) -> CachedValue[OpenedStudy]:
    """Return the newest available result of `open_study`; `wait` and `is_poll` as for `find_cached`."""
    known = find_cached(OPENING, _want_opening(asked), now=now, wait=wait, is_poll=is_poll)
    found = known.made
    opened = found and OpenedStudy(
        asked.study, asked.inputs.study, asked.base, found.fingerprint, found.facets, found.problem
    )
    return CachedValue(opened, known.as_of, known.is_pending, known.has_failed)


def find_look(
    asked: Asked, choice: Choice, *, metric: str, now: datetime, wait: bool = False, is_poll: bool = False
) -> CachedValue[Look]:
    """Return the newest available look for the options.

    Args:
        asked: The study and the protocol.
        choice: The options; those for intervals are ignored.
        metric: The metric of the scatter plot; the best one if it is empty or unknown.
        wait: As for `find_cached`.
        is_poll: As for `find_cached`.
    """
    plain = replace(choice, has_intervals=False)
    return find_cached(LOOK, _want_look(asked, plain, metric), now=now, wait=wait, is_poll=is_poll)


def _want_opening(asked: Asked) -> ValueRequest[Opening]:
    name = f"opening:{hash_facts(asked.inputs.setting, asked.base.signature)}"
    payload = {"study": asked.study.pk, "protocol": asked.protocol}
    return ValueRequest(name, asked.inputs, make=lambda: _open(asked), payload=payload)


def _want_look(asked: Asked, choice: Choice, metric: str) -> ValueRequest[Look]:
    name = f"looks:{hash_facts(asked.study.pk, asked.inputs.setting, asked.base.signature, choice, metric)}"
    payload = {"study": asked.study.pk, "choice": choice.to_json(), "metric": metric}
    return ValueRequest(name, asked.inputs, make=lambda: _look(asked, choice, metric), payload=payload)


def _read_look(handle: JobHandle, study: Study) -> ValueRequest[Look]:
    choice = read_json(handle.payload["choice"])
    return _want_look(ask_for(study, protocol=choice.protocol), choice, handle.payload["metric"])


OPENING: Final = register_value(
    "opening",
    title="Reading the judgments",
    request=lambda handle, study: _want_opening(ask_for(study, protocol=handle.payload["protocol"])),
)
LOOK: Final = register_value("look", title="Computing the agreement", request=_read_look)


def _open(asked: Asked) -> Opening:
    opened = open_study(asked.study, protocol=asked.protocol)
    return Opening(opened.fingerprint, opened.facets, opened.problem)


def _look(asked: Asked, choice: Choice, metric: str) -> Look:
    opened = open_study(asked.study, protocol=choice.protocol)
    try:
        explored = explore(opened, choice)
        best = next(iter(explored.metrics), "")
        chosen = metric if metric in explored.metrics else best
        points = load_points(opened, choice, metric=chosen)
    except NothingToExplore as error:
        return Look(opened.fingerprint, problem=read_problem(error))
    table = tabulate_scatter(points, title=opened.judged.name, signature=explored.report.protocol)
    pictures = {size: draw_scatter(points, size=size) for size in SIZES}
    return Look(opened.fingerprint, explored, chosen, table, pictures)
