"""What a page of the explorer begins with, as it was found last: of a large study a worker finds it."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone
from django_tasks import task

from correlation.protocols.named import Protocol
from studies.analysis.analysis import find_judged_study
from studies.analysis.awaiting import Known, Moment, find_known, make_known
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
    known = find_known(
        _name_opening(asked),
        moment=asked.moment,
        now=now,
        make=lambda: _open(asked),
        ask=lambda: make_opening.enqueue(study_pk=asked.study.pk, protocol=asked.protocol),
        wait=wait,
        is_poll=is_poll,
    )
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
    return find_known(
        _name_look(asked, plain, metric),
        moment=asked.moment,
        now=now,
        make=lambda: _look(asked, plain, metric),
        ask=lambda: make_look.enqueue(study_pk=asked.study.pk, choice=plain.to_json(), metric=metric),
        wait=wait,
        is_poll=is_poll,
    )


@task()
def make_opening(study_pk: int, protocol: str) -> None:
    """Open a study in a worker process, for the pages of the explorer."""
    study = Study.objects.select_related("dataset").filter(pk=study_pk).first()
    if study is not None:
        asked = ask_for(study, protocol=protocol)
        make_known(_name_opening(asked), moment=asked.moment, now=timezone.now(), make=lambda: _open(asked))


@task()
def make_look(study_pk: int, choice: dict[str, Any], metric: str) -> None:
    """Look at what was chosen in a worker process."""
    study = Study.objects.select_related("dataset").filter(pk=study_pk).first()
    if study is not None:
        chosen = read_json(choice)
        asked = ask_for(study, protocol=chosen.protocol)
        name = _name_look(asked, chosen, metric)
        make_known(name, moment=asked.moment, now=timezone.now(), make=lambda: _look(asked, chosen, metric))


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


def _name_opening(asked: Asked) -> str:
    return f"opening:{hash_facts(asked.moment.setting, asked.base.signature)}"


def _name_look(asked: Asked, choice: Choice, metric: str) -> str:
    return f"look:{hash_facts(asked.study.pk, asked.moment.setting, asked.base.signature, choice, metric)}"
