"""Run tasks in one or several processes, without splitting the computation of a task.

Results therefore do not depend on the number of processes or the order in which they finish.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from execution.factory import choose_kind, count_places, make_executor
from execution.outstanding import OutstandingCalls

Task = TypeVar("Task", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Work(Protocol[Task, Result]):
    """Data sent to every process once; must be picklable."""

    def prepare(self) -> Callable[[Task], Result]:
        """Do the work common to all tasks, and return the function that runs one task."""


def run_tasks(work: Work[Task, Result], tasks: Sequence[Task], *, processes: int = 1) -> Iterator[Result]:
    """Yield the result of each task, in the order of the tasks.

    Worker processes are started for each call, which takes half a second, so several processes are useful only for
    longer tasks. Where `ACCORDANCE_EXECUTOR` chooses a cluster, it runs all calls of more than one task, whatever the
    number of processes. Exceptions in tasks are raised here.
    """
    kind = choose_kind()
    workers = min(processes, len(tasks))
    if len(tasks) <= 1 or (workers <= 1 and kind != "dask"):
        yield from map(work.prepare(), tasks) if tasks else ()
        return
    finished: dict[int, Any] = {}
    following = 0
    with (
        make_executor(kind, workers=workers) as executor,
        OutstandingCalls(executor, _run_task, shared=_Prepared(work)) as calls,
    ):
        for (number, _), future in calls.run(enumerate(tasks), most=count_places(executor, workers=workers)):
            finished[number] = future.result()
            while following in finished:
                yield finished.pop(following)
                following += 1


class _Prepared:
    """Work that is prepared at the first task; in each process anew, as what it prepares cannot be sent."""

    def __init__(self, work: Any) -> None:
        self.work = work
        self.run: Callable[[Any], Any] | None = None

    def __reduce__(self) -> tuple[type["_Prepared"], tuple[Any]]:
        return _Prepared, (self.work,)


def _run_task(prepared: _Prepared, numbered: tuple[int, Any]) -> Any:
    if prepared.run is None:
        # Not when it is received, so that an exception reaches the caller as it is.
        prepared.run = prepared.work.prepare()
    return prepared.run(numbered[1])
