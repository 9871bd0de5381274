"""Work of the explorer that outlasts a request: put into the queue, told step by step through the cache."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Final

from django.core.cache import cache
from django.utils import timezone
from django_tasks import task

from correlation.errors import CorrelationInputError
from correlation.reports.values import ReportRow
from studies.analysis.exploring.choice import Choice, read_json
from studies.analysis.exploring.exploring import Explored, explore_multiverse, explore_whole
from studies.analysis.exploring.opening import NothingToExplore, open_study
from studies.models import Study
from studies.scoring.requests.leasing import DEAD_AFTER, keep_beating

PATIENCE: Final = timedelta(minutes=10)
"""After so long without a worker that begins with it the work counts as lost, and is asked for again."""

INTERVALS, MULTIVERSE = "explored", "multiverse"
WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is.

    Attributes:
        study: Primary key of the study that it was asked for in.
        state: `waiting` for a worker, `running`, `done` or `failed`.
        what, n_done, n_steps: The step that began last, how many are done, and how many there are.
        made: What was made so far; of a report the rows with intervals stand among those without.
        problem: Why it failed.
        asked_at: When it was asked for.
        heartbeat: When its worker last said that it lives.
    """

    study: int
    state: str
    asked_at: datetime
    made: Any = None
    what: str = ""
    n_done: int = 0
    n_steps: int = 0
    problem: str = ""
    heartbeat: datetime | None = None

    @property
    def is_over(self) -> bool:
        return self.state in (DONE, FAILED)

    @property
    def mark(self) -> str:
        """A short text that changes with every step."""
        return f"{self.state}-{self.n_done}"


def ask(kind: str, choice: Choice, *, study: Study, name: str, made: Any, now: datetime) -> Progress:
    """Put the work of that name into the queue unless it is there, and return how far it is.

    Args:
        kind: `explored` or `multiverse`.
        choice: What was chosen.
        study: Where it was asked for.
        name: From `identify`.
        made: What there is to show until then.
        now: When.
    """
    progress = Progress(study.pk, WAITING, now, made=made)
    if not cache.add(_make_key(name), progress, timeout=PATIENCE.total_seconds()):
        found = find_progress(name, study=study, now=now)
        if found is not None:
            return found
        cache.set(_make_key(name), progress, timeout=PATIENCE.total_seconds())
    do_work.enqueue(kind=kind, study_pk=study.pk, choice=choice.to_json(), name=name)
    # Where tasks are done at once there is more to tell already.
    return find_progress(name, study=study, now=now) or progress


def find_progress(name: str, *, study: Study, now: datetime) -> Progress | None:
    """Return how far the work of that name is; None if it was never asked for in this study, or is lost."""
    found: Progress | None = cache.get(_make_key(name))
    if found is None or found.study != study.pk:
        return None
    is_dead = found.state == RUNNING and found.heartbeat is not None and found.heartbeat < now - DEAD_AFTER
    return None if is_dead else found


@task()
def do_work(kind: str, study_pk: int, choice: dict[str, Any], name: str) -> None:
    """Do one piece of work, in a worker process, and tell each step under its name."""
    started: Progress | None = cache.get(_make_key(name))
    study = Study.objects.select_related("dataset").filter(pk=study_pk).first()
    if started is None or study is None or started.is_over:
        # Lost for so long that nobody waits for it any more, or done twice.
        return
    teller = _Teller(name, replace(started, state=RUNNING))
    chosen = read_json(choice)
    try:
        with keep_beating(teller.beat):
            opened = open_study(study, protocol=chosen.protocol)
            if kind == MULTIVERSE:
                made: Any = explore_multiverse(opened, chosen)
            else:
                made = explore_whole(opened, chosen, watch=teller.watch, publish=teller.publish)
    except (NothingToExplore, CorrelationInputError) as error:
        teller.tell(state=FAILED, problem=str(error))
    except Exception:
        teller.tell(state=FAILED, problem="The program failed; the operator finds the reason in the list of tasks.")
        raise
    else:
        teller.tell(state=DONE, made=made)


class _Teller:
    """Keeps what there is to tell of a piece of work where every process finds it."""

    def __init__(self, name: str, progress: Progress) -> None:
        self._key, self._progress = _make_key(name), progress
        # Steps are told by the work, beats by a thread beside it.
        self._lock = Lock()
        self.tell()

    def tell(self, **changes: Any) -> None:
        self._write(**changes)

    def beat(self) -> None:
        """Say that somebody is at work."""
        self._write()

    def _write(self, **changes: Any) -> None:
        with self._lock:
            self._progress = replace(self._progress, **changes, heartbeat=timezone.now())
            cache.set(self._key, self._progress, timeout=PATIENCE.total_seconds())

    def watch(self, what: str, n_done: int, n_steps: int) -> None:
        self.tell(what=what, n_done=n_done, n_steps=n_steps)

    def publish(self, rows: list[ReportRow]) -> None:
        made = self._progress.made
        if isinstance(made, Explored):
            self.tell(made=put_rows(made, rows))


def put_rows(explored: Explored, rows: list[ReportRow]) -> Explored:
    """Return the same with these rows in the place of those of the same metric and measure.

    Whether a metric is above the ceiling stays told: neither the value nor the ceiling changes.
    """
    new = {(row.metric, row.measure): row for row in rows}
    report = explored.report
    placed = tuple(
        replace(found, is_above_ceiling=row.is_above_ceiling) if (found := new.get((row.metric, row.measure))) else row
        for row in report.rows
    )
    return replace(explored, report=replace(report, rows=placed))


def _make_key(name: str) -> str:
    return f"work:{name}"
