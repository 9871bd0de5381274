"""What a page of the explorer begins with, as it was found last: of a large study a worker finds it."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from correlation.protocols.named import Protocol
from jobs.handle import JobHandle
from jobs.registry import register
from studies.analysis.analysis import find_judged_study
from studies.analysis.awaiting import Known, Moment, Wanted, find_known, make_kind, make_known
from studies.analysis.exploring.choice import Choice, find_base, read_json
from studies.analysis.exploring.exploring import Explored, explore, load_points
from studies.analysis.exploring.opening import Facets, NothingToExplore, OpenedStudy, hash_facts, open_study
from studies.analysis.exploring.tables import PlainTable, tabulate_scatter
from studies.analysis.figures import draw_scatter
from studies.models import Study


@dataclass(frozen=True, slots=True)
class Asked:
    """A study under a protocol, before anything is read of its judgments.

    Attributes:
        study: The study that was asked for.
        protocol: As it was asked for; empty for the study's own.
        base: The protocol.
        moment: The study whose judgments are looked at, as it is now.
    """

    study: Study
    protocol: str
    base: Protocol
    moment: Moment


@dataclass(frozen=True, slots=True)
class Opening:
    """What was found when a study was opened: the fields of an `OpenedStudy` that cost something."""

    fingerprint: str
    facets: Facets
    problem: str


@dataclass(frozen=True, slots=True)
class Look:
    """The report of what was chosen without intervals, and the scatter of a metric.

    Attributes:
        fingerprint: Of all that it depends on.
        explored: None where there is a problem.
        metric: Whose scatter it is.
        scatter: The table of the scatter.
        picture: The specification of its picture.
        problem: Why there is nothing; empty if there is something.
    """

    fingerprint: str
    explored: Explored | None = None
    metric: str = ""
    scatter: PlainTable | None = None
    picture: dict[str, Any] | None = None
    problem: str = ""


def ask_for(study: Study, *, protocol: str = "") -> Asked:
    """Return what there is to open.

    Raises:
        CorrelationInputError: There is no such protocol, or it belongs to several studies.
    """
    base = find_base(study, protocol)
    return Asked(study, protocol, base, Moment(find_judged_study(study, base)))


def find_opened(asked: Asked, *, now: datetime, wait: bool = False, is_poll: bool = False) -> Known[OpenedStudy]:
    """Return the study as `open_study` does, as it was last; `wait` and `is_poll` are those of `find_known`."""
    known = find_known(OPENING, _want_opening(asked), now=now, wait=wait, is_poll=is_poll)
    found = known.made
    opened = found and OpenedStudy(
        asked.study, asked.moment.study, asked.base, found.fingerprint, found.facets, found.problem
    )
    return Known(opened, known.as_of, known.is_on_its_way, known.has_failed)


def find_look(
    asked: Asked, choice: Choice, *, metric: str, now: datetime, wait: bool = False, is_poll: bool = False
) -> Known[Look]:
    """Return the look at what was chosen, as it was last.

    Args:
        asked: The study.
        choice: What was chosen; its intervals do not matter.
        metric: Whose scatter; the best one's if it is empty or unknown.
        now: The time.
        wait: As in `find_known`.
        is_poll: As in `find_known`.
    """
    plain = replace(choice, has_intervals=False)
    return find_known(LOOK, _want_look(asked, plain, metric), now=now, wait=wait, is_poll=is_poll)


def _want_opening(asked: Asked) -> Wanted[Opening]:
    name = f"opening:{hash_facts(asked.moment.setting, asked.base.signature)}"
    payload = {"study": asked.study.pk, "protocol": asked.protocol}
    return Wanted(name, asked.moment, make=lambda: _open(asked), payload=payload)


def _want_look(asked: Asked, choice: Choice, metric: str) -> Wanted[Look]:
    name = f"look:{hash_facts(asked.study.pk, asked.moment.setting, asked.base.signature, choice, metric)}"
    payload = {"study": asked.study.pk, "choice": choice.to_json(), "metric": metric}
    return Wanted(name, asked.moment, make=lambda: _look(asked, choice, metric), payload=payload)


def _work_on_opening(handle: JobHandle, study: Study) -> None:
    make_known(_want_opening(ask_for(study, protocol=handle.payload["protocol"])), now=handle.now())


def _work_on_look(handle: JobHandle, study: Study) -> None:
    choice = read_json(handle.payload["choice"])
    asked = ask_for(study, protocol=choice.protocol)
    make_known(_want_look(asked, choice, handle.payload["metric"]), now=handle.now())


OPENING: Final = register(make_kind("opening", title="Reading the judgments", work=_work_on_opening))
LOOK: Final = register(make_kind("look", title="Looking at the agreement", work=_work_on_look))


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
        return Look(opened.fingerprint, problem=str(error))
    table = tabulate_scatter(points, title=opened.judged.name, signature=explored.report.protocol)
    return Look(opened.fingerprint, explored, chosen, table, draw_scatter(points))
