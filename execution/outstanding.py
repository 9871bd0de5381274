"""Calls that an executor has not finished yet, submitted again if a cluster loses them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from execution.errors import CallsLost, ClusterFailed
from execution.shared import Present, Shared

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST_LOST: Final = 5
"""How often in a row all calls may be lost without any finishing."""
_LOOK_SECONDS: Final = 5.0


class OutstandingCalls(Generic[Item, Result]):
    """Calls of a function with a shared value and an item each. Leaving the context cancels those that wait.

    Each item is returned by `take` exactly once, however often its call has to be repeated.

    Args:
        executor: Any executor; those of `execution.factory` send the shared value to each worker process only once.
        call: Called with the shared value and an item; must be importable by worker processes.
        shared: The value that all calls use.
    """

    def __init__(self, executor: Executor, call: Callable[[Any, Item], Result], *, shared: Any) -> None:
        self._executor = executor
        self._call = call
        self._value = shared
        self._shared: Shared | None = None
        self._waiting: dict[Future[Result], Item] = {}
        self._n_lost = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        # Not by `shutdown`, which cancels nothing in executors of some clusters.
        self.withdraw()

    def __len__(self) -> int:
        return len(self._waiting)

    def submit(self, item: Item) -> None:
        """Submit the call for an item.

        Raises:
            ClusterFailed: The cluster is lost, and does not come back.
        """
        try:
            self._send(item)
        except CallsLost:
            self._repeat([item])

    def take(self) -> tuple[Item, Future[Result]]:
        """Wait for a call to finish; return its item, and its future with the result or the error.

        Raises:
            ClusterFailed: The cluster has no workers, or has lost all calls several times; the message says which.
        """
        while True:
            done, _ = wait(self._waiting, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            if not done:
                self._look()
            elif any(_is_lost(future) for future in done):
                self._repeat()
            else:
                # In the order of submission, where several are done.
                future = next(each for each in self._waiting if each in done)
                self._n_lost = 0
                return self._waiting.pop(future), future

    def run(self, items: Iterable[Item], *, most: int) -> Iterator[tuple[Item, Future[Result]]]:
        """Submit the calls of items and yield each with its future as it finishes, at most `most` outstanding.

        Items are consumed as fast as calls finish, so that not all are in memory at once.
        """
        for item in items:
            self.submit(item)
            while len(self) >= most:
                yield self.take()
        while len(self):
            yield self.take()

    def withdraw(self) -> list[Item]:
        """Cancel all calls, and return their items."""
        items = list(self._waiting.values())
        for future in self._waiting:
            future.cancel()
        self._waiting.clear()
        return items

    def _look(self) -> None:
        look = getattr(self._executor, "require_workers", None)
        if look is not None:
            look()

    def _send(self, item: Item) -> None:
        if self._shared is None:
            self._shared = getattr(self._executor, "share", Present)(self._value)
        self._waiting[self._executor.submit(_call_shared, self._call, self._shared, item)] = item

    def _repeat(self, unsent: Sequence[Item] = ()) -> None:
        # Finished calls are repeated too: they are rare, and this keeps the order of submission.
        items = [*self.withdraw(), *unsent]
        while self._n_lost < _MOST_LOST:
            self._n_lost += 1
            try:
                self._executor.recover()  # type: ignore[attr-defined]  # only clusters lose calls
                self._shared = None
                for item in items:
                    self._send(item)
            except CallsLost:
                self.withdraw()
            else:
                return
        raise ClusterFailed(f"the cluster lost all calls {_MOST_LOST} times in a row; see the logs of its workers")


def _is_lost(future: Future[Any]) -> bool:
    return not future.cancelled() and isinstance(future.exception(), CallsLost)


def _call_shared(call: Callable[[Any, Item], Result], shared: Shared, item: Item) -> Result:
    return call(shared.get(), item)
