"""What takes longer than a page may: made at once of few judgments, else by a worker, and told with its date.

A page asks with `find_known` and shows what it gets: the value of this moment, an older one with its date, or word
that it is on its way. It never computes from many judgments itself; a worker does, by `make_known`, and keeps the
value with the state of the judgments that it is of.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final, Generic, TypeVar

from django.core.cache import cache

from studies.analysis.fingerprint import fingerprint_judgments, fingerprint_setting
from studies.enums import StudyState
from studies.models import Judgment, Study

Made = TypeVar("Made")

MOST_JUDGMENTS: Final = 20_000
"""A page computes from so many judgments itself, which takes a few tenths of a second."""

KEEP_FACTOR: Final = 20
QUICK_SECONDS: Final = 0.25
"""Values of an open study are kept for so many times what they took; those that take less than this not at all."""

PATIENCE: Final = timedelta(minutes=10)
"""After so long without an answer a worker counts as lost, and is asked again."""

NO_WORKER: Final = timedelta(seconds=30)
"""After so long without a worker that begins nobody works, and what the page left open is computed for who waits."""


class Moment:
    """A study as it is now, read when it is needed and once for a page."""

    def __init__(self, study: Study) -> None:
        self.study = study

    @cached_property
    def setting(self) -> str:
        """A digest of all that results depend on but judgments."""
        return fingerprint_setting(self.study)

    @cached_property
    def judgments(self) -> str:
        """A digest that changes with every judgment."""
        return fingerprint_judgments(self.study)

    @cached_property
    def is_small(self) -> bool:
        """Whether a page may compute from its judgments."""
        # Counted no further than it matters.
        given = Judgment.objects.filter(rater__study=self.study).order_by()
        return given[: MOST_JUDGMENTS + 1].count() <= MOST_JUDGMENTS


@dataclass(frozen=True, slots=True)
class Known(Generic[Made]):
    """What there is at this moment.

    Attributes:
        made: None before the first.
        as_of: The moment of which it is; None if it is of now.
        is_on_its_way: Whether a worker was asked for a newer one.
        has_failed: Whether a worker could not make it.
    """

    made: Made | None
    as_of: datetime | None = None
    is_on_its_way: bool = False
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class _Kept(Generic[Made]):
    """A value, of which judgments and when it is, and how long it took."""

    made: Made
    judgments: str
    made_at: datetime
    seconds: float

    def is_young(self, now: datetime) -> bool:
        wait = 0.0 if self.seconds < QUICK_SECONDS else KEEP_FACTOR * self.seconds
        return now - self.made_at < timedelta(seconds=wait)

    def tell(self, *, is_on_its_way: bool = False, has_failed: bool = False) -> Known[Made]:
        return Known(self.made, self.made_at, is_on_its_way, has_failed)


@dataclass(frozen=True, slots=True)
class _Asked:
    at: datetime
    is_begun: bool = False

    def is_left(self, now: datetime) -> bool:
        return not self.is_begun and now - self.at > NO_WORKER


@dataclass(frozen=True, slots=True)
class Question:
    """The question to workers for a value of this name; one is asked until it answers or counts as lost."""

    name: str

    @property
    def _key(self) -> str:
        return f"{self.name}:question"

    def find(self) -> _Asked | None:
        """Return since when somebody is asked; None if nobody is."""
        found: _Asked | None = cache.get(self._key)
        return found

    def ask(self, ask: Callable[[], object], *, now: datetime) -> bool:
        """Ask a worker unless one was asked already; return whether that was so long ago that nobody works."""
        if cache.add(self._key, _Asked(now), timeout=PATIENCE.total_seconds()):
            ask()
            return False
        asked = self.find()
        return asked is not None and asked.is_left(now)

    def begin(self, *, now: datetime) -> None:
        """Say that a worker is at it, however long it takes."""
        cache.set(self._key, _Asked(now, is_begun=True), timeout=PATIENCE.total_seconds())

    def close(self) -> None:
        """Ask no more: it was answered, or nobody will."""
        cache.delete(self._key)


def find_known(
    name: str,
    *,
    moment: Moment,
    now: datetime,
    make: Callable[[], Made],
    ask: Callable[[], object],
    wait: bool = False,
    is_poll: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> Known[Made]:
    """Return the newest value that there is, and see to it that a newer one is made if there should be.

    Args:
        name: Of the value; must change with everything that it depends on but the judgments.
        moment: The study whose judgments it is of.
        now: The time.
        make: Computes it.
        ask: Has a worker call `make_known`.
        wait: Whether to compute here, however long it takes.
        is_poll: Whether it is asked for by what waits within a page: then it is computed here if nobody works.
        clock: Seconds, to measure how long computing takes.
    """
    kept: _Kept[Made] | None = cache.get(name)
    if kept is not None and not wait and moment.study.state == StudyState.OPEN and kept.is_young(now):
        return kept.tell()
    question = Question(name)
    asked = question.find()
    nobody_works = asked is not None and asked.is_left(now)
    if kept is None and asked is not None and not wait and not (is_poll and nobody_works):
        return Known(None, is_on_its_way=True)
    if kept is not None and kept.judgments == moment.judgments:
        return Known(kept.made)
    if wait or moment.is_small or (is_poll and nobody_works):
        return _make_here(name, kept=kept, moment=moment, now=now, make=make, clock=clock)
    if cache.get(_name_failure(name)) == moment.judgments:
        return kept.tell(has_failed=True) if kept else Known(None, has_failed=True)
    question.ask(ask, now=now)
    # Where tasks are done at once there is more to tell already.
    kept = cache.get(name)
    if kept is not None and kept.judgments == moment.judgments:
        return Known(kept.made)
    return kept.tell(is_on_its_way=True) if kept else Known(None, is_on_its_way=True)


def make_known(name: str, *, moment: Moment, now: datetime, make: Callable[[], Made]) -> None:
    """Make a value in a worker process and keep it, unless it was made meanwhile."""
    question = Question(name)
    question.begin(now=now)
    try:
        kept: _Kept[Made] | None = cache.get(name)
        if kept is None or kept.judgments != moment.judgments:
            _make(name, moment=moment, now=now, make=make, clock=time.perf_counter)
    except Exception:
        cache.set(_name_failure(name), moment.judgments, timeout=PATIENCE.total_seconds())
        raise
    finally:
        question.close()


def _make_here(
    name: str,
    *,
    kept: _Kept[Made] | None,
    moment: Moment,
    now: datetime,
    make: Callable[[], Made],
    clock: Callable[[], float],
) -> Known[Made]:
    computing = f"{name}:computing"
    # One computes; the others need not wait for it where there is something to show.
    if not cache.add(computing, now, timeout=PATIENCE.total_seconds()) and kept is not None:
        return kept.tell()
    try:
        return Known(_make(name, moment=moment, now=now, make=make, clock=clock))
    finally:
        cache.delete(computing)


def _make(name: str, *, moment: Moment, now: datetime, make: Callable[[], Made], clock: Callable[[], float]) -> Made:
    # Read before the value is made: judgments that come meanwhile make it an old one, and never a too new one.
    judgments, started = moment.judgments, clock()
    made = make()
    cache.set(name, _Kept(made, judgments, made_at=now, seconds=clock() - started))
    return made


def _name_failure(name: str) -> str:
    return f"{name}:failed"
