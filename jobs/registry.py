"""Which kinds of work there are: apps register theirs, so that this one knows none of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jobs.models import Job

Result = Mapping[str, Any] | None

KEPT: Final = timedelta(days=30)
"""After so long an ended job and its log are deleted."""


def _has_no_limit() -> int:
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of work.

    Attributes:
        name: What jobs of it are stored under.
        title: For the person who asked, such as "Checking your files".
        lane: A worker runs one job of each lane at a time, so a slow kind has a lane of its own.
        work: Does it in a process of its own, given a `jobs.handle.JobHandle`, and returns what came of it as JSON.
        seconds: Longest time of one try, counted from its start.
        memory: Returns the most MiB that the process may take beside what it starts with; 0 for no limit.
        most_tries: How often a try may be lost with its worker, or ask to be tried again, before it is given up.
        on_end: Called with each job that ended other than by its work's own `finish`, in that transaction: failed,
            cancelled, or lost for good.
        may_see: Whether somebody other than the account may see the job.
        may_cancel: Whether somebody other than the account may cancel it; without it, who may see it may.
        kept: How long an ended job is kept.
        stays: Whether a process that has done a job goes on to the next one of its lane, with what it has loaded. Not
            for what runs the code of others, or may take a bounded part of memory only.
    """

    name: str
    title: str
    lane: str
    work: Callable[..., Result]
    seconds: float
    memory: Callable[[], int] = _has_no_limit
    most_tries: int = 3
    on_end: "Callable[[Job], None] | None" = None
    may_see: "Callable[[Any, Job], bool] | None" = None
    may_cancel: "Callable[[Any, Job], bool] | None" = None
    kept: timedelta = KEPT
    stays: bool = False


_KINDS: Final[dict[str, Kind]] = {}


def register(kind: Kind) -> Kind:
    """Make a kind of work known; raises ValueError if another one has its name."""
    if _KINDS.setdefault(kind.name, kind) is not kind:
        raise ValueError(f"there is a kind of work {kind.name!r} already")
    return kind


def unregister(kind: Kind) -> None:
    """Forget a kind of work."""
    _KINDS.pop(kind.name, None)


def find_kind(name: str) -> Kind | None:
    """Return the kind of this name; None if no app registers it."""
    return _KINDS.get(name)


def list_kinds() -> tuple[Kind, ...]:
    """Return all kinds."""
    return tuple(_KINDS.values())


def list_lanes() -> tuple[str, ...]:
    """Return the lanes of all kinds, sorted."""
    return tuple(sorted({kind.lane for kind in _KINDS.values()}))
