"""Run tasks in one or several processes, without splitting the computation of a task.

Results therefore do not depend on the number of processes or the order in which they finish.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

Task = TypeVar("Task", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Work(Protocol[Task, Result]):
    """Data sent to every process once; must be picklable."""

    def prepare(self) -> Callable[[Task], Result]:
        """Do the work common to all tasks, and return the function that runs one task."""


def run_tasks(work: Work[Task, Result], tasks: Sequence[Task], *, processes: int = 1) -> Iterator[Result]:
    """Yield the result of each task, in the order of the tasks.

    Worker processes are started for each call, which takes half a second, so several processes are useful only for
    longer tasks. Exceptions in tasks are raised here.
    """
    workers = min(processes, len(tasks))
    if workers <= 1:
        yield from map(work.prepare(), tasks) if tasks else ()
        return
    # Spawned, not forked: a fork would copy locks that are held by threads of this process.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(work,)) as pool:
        yield from pool.map(_run_in_worker, tasks)


_work: Any = None
"""The work of this worker process, stored by the pool's initializer."""
_run: Callable[[Any], Any] | None = None


def follow_parent() -> None:
    """Make this worker process ignore Ctrl-C and end when its parent process ends."""
    # Ctrl-C is sent to all processes of the terminal; only the parent should report it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _start_worker(work: Any) -> None:
    global _work
    _work = work
    follow_parent()


def _die_with_parent() -> None:
    # If the parent is killed it cannot stop its pool, and the workers would wait for tasks indefinitely.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(task: Any) -> Any:
    global _run
    if _run is None:
        # Not in the initializer, whose exceptions do not reach the caller.
        _run = _work.prepare()
    return _run(task)
