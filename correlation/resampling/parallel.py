"""The same tasks in one process or in several: the split is between tasks, never inside their arithmetic.

So a number does not depend on how many processes there are, nor on which of them is done first.
"""

from __future__ import annotations

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
    """What every process receives once; it must be picklable."""

    def prepare(self) -> Callable[[Task], Result]:
        """Do what all tasks need, and return what does one of them."""


def run_tasks(work: Work[Task, Result], tasks: Sequence[Task], *, processes: int = 1) -> Iterator[Result]:
    """Yield the result of each task, in the order of the tasks.

    Several processes are started anew for every call (half a second), so they pay for tasks that take longer. What a
    task raises is raised here.
    """
    workers = min(processes, len(tasks))
    if workers <= 1:
        yield from map(work.prepare(), tasks) if tasks else ()
        return
    # Spawned, not forked: a fork would copy locks that threads of this process hold.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(work,)) as pool:
        yield from pool.map(_run_in_worker, tasks)


_work: Any = None
"""The work of this worker process: what a pool's initializer leaves behind has no other place."""
_run: Callable[[Any], Any] | None = None


def follow_parent() -> None:
    """Let this worker process leave Ctrl-C to its parent, and end with it however the parent ends."""
    # Ctrl-C reaches every process of the terminal, and one message about it is enough.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _start_worker(work: Any) -> None:
    global _work
    _work = work
    follow_parent()


def _die_with_parent() -> None:
    # A parent that is killed cannot stop its pool, whose workers would wait for tasks for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(task: Any) -> Any:
    global _run
    if _run is None:
        # Here and not in the initializer, whose errors do not reach the caller.
        _run = _work.prepare()
    return _run(task)
