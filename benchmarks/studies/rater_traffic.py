"""Simulates the traffic of raters by discrete events: `python -m benchmarks.studies.rater_traffic [--check] [--json]`.

A request passes through stations, one after another: the web processes, the database, the web processes again. A
station has servers that take requests in the order in which they come; a web process is one server, since Python
computes with one thread at a time, and it is free while it waits for the database. Service times are drawn from gamma
distributions with the measured means.

Without options, reads throughput, the 95th percentile and the number of web processes that are needed at several
numbers of raters. `--check` repeats the run of `benchmarks.studies.raters` that was measured with 300 raters, on a
machine whose two cores are shared by all parts.
"""

import argparse
import json
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from itertools import count
from math import ceil
from random import Random
from typing import Final

LIMIT_MS: Final = 100.0
"""The 95th percentile of response times that a number of web processes must keep."""

RAMP_SECONDS: Final = 15.0
"""The time in which raters come in `benchmarks.studies.raters`."""
WARM_SECONDS: Final = 4.0


@dataclass(frozen=True, slots=True)
class Visit:
    """A request's visit to a station.

    Attributes:
        station: The name of the station.
        seconds: The mean service time.
        shape: The shape of the gamma distribution: 1 is exponential; the squared coefficient of variation is its
            inverse.
    """

    station: str
    seconds: float
    shape: float = 4.0


@dataclass(frozen=True, slots=True)
class Times:
    """The measured response times of a simulation.

    Attributes:
        seconds: The response time of each request that ended in the measured time, in order of its end.
        waits: The time that each of these requests waited for servers.
        n_judgments: The number of judgments among them.
        measured: The measured time in seconds.
    """

    seconds: tuple[float, ...]
    waits: tuple[float, ...]
    n_judgments: int
    measured: float

    @property
    def judgments_per_second(self) -> float:
        return self.n_judgments / self.measured

    def find_quantile(self, share: float) -> float:
        """Return the quantile of the response times in seconds; NaN if there are none."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


@dataclass(slots=True)
class _Station:
    free: int
    waiting: deque["_Request"] = field(default_factory=deque)


@dataclass(slots=True)
class _Request:
    visits: Sequence[Visit]
    began: float
    then: Callable[[float], None]
    is_judgment: bool
    at: int = 0
    since: float = 0.0
    waited: float = 0.0


class Traffic:
    """Requests that pass through stations, from the start at time 0; `servers` has the servers of each station."""

    def __init__(self, servers: dict[str, int], *, rng: Random, measured_from: float = 0.0) -> None:
        self._stations = {name: _Station(number) for name, number in servers.items()}
        self._rng, self._measured_from = rng, measured_from
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()
        self._seconds: list[float] = []
        self._waits: list[float] = []
        self._n_judgments = 0

    def schedule(self, at: float, event: Callable[[float], None]) -> None:
        """Call `event` with the time `at`."""
        heappush(self._events, (at, next(self._order), event))

    def send(
        self, now: float, visits: Sequence[Visit], *, then: Callable[[float], None], is_judgment: bool = False
    ) -> None:
        """Start a request; `then` is called with the time of its end."""
        self._come(now, _Request(visits, now, then, is_judgment))

    def run(self, until: float) -> Times:
        """Return the times of the requests that end from `measured_from` until `until`."""
        while self._events and self._events[0][0] <= until:
            at, _, event = heappop(self._events)
            event(at)
        measured = until - self._measured_from
        return Times(tuple(self._seconds), tuple(self._waits), self._n_judgments, measured)

    def _come(self, now: float, request: _Request) -> None:
        if request.at == len(request.visits):
            self._end(now, request)
            return
        station = self._stations[request.visits[request.at].station]
        request.since = now
        if station.free:
            station.free -= 1
            self._serve(now, request)
        else:
            station.waiting.append(request)

    def _serve(self, now: float, request: _Request) -> None:
        visit = request.visits[request.at]
        request.waited += now - request.since
        seconds = self._rng.gammavariate(visit.shape, visit.seconds / visit.shape)
        self.schedule(now + seconds, lambda at: self._leave(at, request))

    def _leave(self, now: float, request: _Request) -> None:
        station = self._stations[request.visits[request.at].station]
        if station.waiting:
            self._serve(now, station.waiting.popleft())
        else:
            station.free += 1
        request.at += 1
        self._come(now, request)

    def _end(self, now: float, request: _Request) -> None:
        if now >= self._measured_from:
            self._seconds.append(now - request.began)
            self._waits.append(request.waited)
            self._n_judgments += request.is_judgment
        request.then(now)


@dataclass(frozen=True, slots=True)
class Site:
    """A site with its raters.

    Attributes:
        servers: Station -> number of servers.
        submit: The visits of the request that submits an answer.
        show: The visits of the request for the next page.
        think: The mean time between a page and its answer, in seconds; each is between half and one and a half of it.
    """

    servers: dict[str, int]
    submit: tuple[Visit, ...]
    show: tuple[Visit, ...]
    think: float


def simulate_raters(
    site: Site, *, n_raters: int, warm: float, seconds: float, rng: Random, is_ramp: bool = False
) -> Times:
    """Let raters work; return the times of the `seconds` after the first `warm` ones.

    All are in the middle of a task at the start; with `is_ramp`, they come one after another while it warms up.
    """
    traffic = Traffic(site.servers, rng=rng, measured_from=warm)

    def think(now: float) -> None:
        traffic.schedule(now + site.think * (0.5 + rng.random()), submit)

    def submit(now: float) -> None:
        traffic.send(now, site.submit, then=show, is_judgment=True)

    def show(now: float) -> None:
        traffic.send(now, site.show, then=think)

    for number in range(n_raters):
        if is_ramp:
            traffic.schedule(warm * number / n_raters, show)
        else:
            traffic.schedule(_draw_rest(rng, site.think), submit)
    return traffic.run(warm + seconds)


def _draw_rest(rng: Random, think: float) -> float:
    """Return the rest of the time for a task at a random moment, at which longer times are more likely."""
    while True:
        share = 0.5 + rng.random()
        if 1.5 * rng.random() < share:
            return think * share * rng.random()


def make_separate_site(*, web_ms: float, database_ms: float, processes: int, cores: int, think: float) -> Site:
    """Return a site whose database has cores of its own, given the processor time of a judgment.

    Half of it is for the answer and half for the next page; of that of the web process, half before and half after the
    database.
    """
    web, database = web_ms / 4000, database_ms / 2000
    request = (Visit("web", web), Visit("database", database), Visit("web", web))
    return Site({"web": processes, "database": cores}, submit=request, show=request, think=think)


def make_shared_site(*, judgment_ms: float, cores: int, think: float) -> Site:
    """Return a site on a machine whose cores do all the work, given the processor time of a judgment."""
    request = (Visit("cores", judgment_ms / 2000),)
    return Site({"cores": cores}, submit=request, show=request, think=think)


def find_processes(
    *, web_ms: float, database_ms: float, n_raters: int, think: float, seconds: float, seed: int
) -> tuple[int, int, Times]:
    """Return the least number of web processes that keeps the limit, the database's cores, and the times with them.

    The database has the cores for which they are busy half of the time.
    """
    rate = n_raters / think
    cores = ceil(2 * rate * database_ms / 1000)

    def run(processes: int) -> Times:
        site = make_separate_site(web_ms=web_ms, database_ms=database_ms, processes=processes, cores=cores, think=think)
        rng = Random(seed)  # noqa: S311 - a simulation
        return simulate_raters(site, n_raters=n_raters, warm=WARM_SECONDS, seconds=seconds, rng=rng)

    low = max(1, ceil(rate * web_ms / 1000))
    high = low
    while (times := run(high)).find_quantile(0.95) > LIMIT_MS / 1000:
        low, high = high + 1, ceil(1.25 * high) + 1
    while low < high:
        middle = (low + high) // 2
        found = run(middle)
        if found.find_quantile(0.95) > LIMIT_MS / 1000:
            low = middle + 1
        else:
            high, times = middle, found
    return high, cores, times


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: times in milliseconds, rates per second."""

    raters: int
    processes: int
    database_cores: int
    judgments_per_second: float
    p50_ms: float
    p95_ms: float


def list_rows(
    *, web_ms: float, database_ms: float, think: float, raters: Sequence[int], seconds: float, seed: int
) -> list[Row]:
    """Return a row for each number of raters."""
    rows = []
    for n_raters in raters:
        processes, cores, times = find_processes(
            web_ms=web_ms, database_ms=database_ms, n_raters=n_raters, think=think, seconds=seconds, seed=seed
        )
        rows.append(_make_row(n_raters, processes, cores, times))
    return rows


def _repeat_run(site: Site, n_raters: int, *, seconds: float, rng: Random) -> Times:
    return simulate_raters(site, n_raters=n_raters, warm=RAMP_SECONDS, seconds=seconds, rng=rng, is_ramp=True)


def _make_row(n_raters: int, processes: int, cores: int, times: Times) -> Row:
    p50, p95 = (round(1000 * times.find_quantile(share), 1) for share in (0.5, 0.95))
    return Row(n_raters, processes, cores, round(times.judgments_per_second, 1), p50, p95)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--web-ms", type=float, default=8.0, help="processor time of the web processes a judgment")
    parser.add_argument("--database-ms", type=float, default=2.5, help="processor time of the database a judgment")
    parser.add_argument("--think", type=float, default=20.0, help="mean seconds between a page and its answer")
    parser.add_argument("--seconds", type=float, default=20.0, help="measured time")
    parser.add_argument("--raters", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--check", type=float, metavar="MS", help="one run on two shared cores with this time a judgment"
    )
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.check is None:
        rows = list_rows(
            web_ms=chosen.web_ms,
            database_ms=chosen.database_ms,
            think=chosen.think,
            raters=chosen.raters,
            seconds=chosen.seconds,
            seed=chosen.seed,
        )
    else:
        site, rng = make_shared_site(judgment_ms=chosen.check, cores=2, think=chosen.think), Random(chosen.seed)  # noqa: S311
        rows = [
            _make_row(number, 2, 2, _repeat_run(site, number, seconds=chosen.seconds, rng=rng))
            for number in chosen.raters
        ]
    lines = [json.dumps(asdict(row)) for row in rows] if chosen.json else [str(row) for row in rows]
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
