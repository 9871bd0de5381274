"""The registry of job kinds; apps register theirs, so that `jobs` does not depend on them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.utils.module_loading import autodiscover_modules

if TYPE_CHECKING:
    from jobs.models import Job

Result = Mapping[str, Any] | None

KEPT: Final = timedelta(days=30)
"""Ended jobs and their logs are deleted after this time."""


def _has_no_limit() -> int:
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of job.

    Attributes:
        name: The name stored with its jobs.
        title: Shown to the user, such as "Checking your files".
        lane: A worker runs one job per lane at a time, so slow kinds have their own lane.
        work: Runs the job in a child process, given a `jobs.running_job.JobHandle`, and returns its result as JSON.
        seconds: Time limit of one try.
        memory: Returns the memory limit in MiB, in addition to what the process starts with; 0 for no limit.
        most_tries: The number of tries, lost with a worker or ended by `TryAgain`, after which the job is abandoned.
        on_end: Called with each job that ended other than by `finish`, in the same transaction: failed, cancelled, or
                lost for good.
        on_return: Called with each job that a worker requeues because it was asked to stop, in the same transaction.
        may_see: Whether a user other than the owner may see the job.
        may_cancel: Whether a user, even the owner, may cancel it; by default, everyone who may see it.
        cancel: Cancels a job for a user, in place of `jobs.requests.cancel_job`; raises JobRefused.
        kept: How long an ended job is kept.
        clean: Called by workers every hour, to delete old files of jobs.
        stays: Whether a process that has finished a job keeps running for the next one of its lane, with its modules
                loaded. Not for kinds that run third-party code or have a memory limit.
    """

    name: str
    title: str
    lane: str
    work: Callable[..., Result]
    seconds: float
    memory: Callable[[], int] = _has_no_limit
    most_tries: int = 3
    on_end: "Callable[[Job], None] | None" = None
    on_return: "Callable[[Job], None] | None" = None
    may_see: "Callable[[Any, Job], bool] | None" = None
    may_cancel: "Callable[[Any, Job], bool] | None" = None
    cancel: "Callable[[Job, Any, datetime], None] | None" = None
    kept: timedelta = KEPT
    clean: "Callable[[datetime], None] | None" = None
    stays: bool = False


_KINDS: Final[dict[str, Kind]] = {}


def with_right(right: str, *, to: "Callable[[Job], Any]") -> "Callable[[Any, Job], bool]":
    """Return a rule that allows users with this right to the object that `to` finds; nobody if there is none."""

    def may(user: Any, job: "Job") -> bool:
        found = to(job)
        return found is not None and bool(user.has_perm(right, found))

    return may


def register(kind: Kind) -> Kind:
    """Register a kind; raises ValueError if its name is taken."""
    if _KINDS.setdefault(kind.name, kind) is not kind:
        raise ValueError(f"there is already a kind of job {kind.name!r}")
    return kind


def unregister(kind: Kind) -> None:
    """Remove a kind from the registry."""
    _KINDS.pop(kind.name, None)


@cache
def _load_kinds() -> None:
    """Import the module `job_kinds` of each app, in which it registers its kinds."""
    # Not when Django starts: these modules take a second, and most commands need no kind of job.
    autodiscover_modules("job_kinds")


def find_kind(name: str) -> Kind | None:
    """Return the kind of this name; None if it is not registered."""
    if name not in _KINDS:
        _load_kinds()
    return _KINDS.get(name)


def list_kinds() -> tuple[Kind, ...]:
    """Return all registered kinds."""
    _load_kinds()
    return tuple(_KINDS.values())


def list_lanes() -> tuple[str, ...]:
    """Return the lanes of all kinds, sorted."""
    return tuple(sorted({kind.lane for kind in list_kinds()}))
