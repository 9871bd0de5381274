"""Progress reporting for long computations."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Yields steps unchanged while displaying progress, such as `tqdm` bound to a stream, or `pass_on`."""

    def __call__(self, steps: Iterable[T], *, total: int, label: str) -> Iterable[T]: ...


def pass_on(steps: Iterable[T], *, total: int, label: str) -> Iterable[T]:  # noqa: ARG001
    """Yield the steps without displaying progress."""
    return steps
