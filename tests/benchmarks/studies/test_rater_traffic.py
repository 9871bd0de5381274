"""Tests of the simulation of raters against formulas of queues in closed form."""

from collections.abc import Sequence
from math import exp, factorial
from random import Random
from statistics import fmean

import pytest

from benchmarks.studies.rater_traffic import (
    LIMIT_MS,
    Times,
    Traffic,
    Visit,
    find_processes,
    make_shared_site,
    simulate_raters,
)


def compute_erlang_c(servers: int, load: float) -> float:
    """Return the probability that a request of an M/M/c queue waits, for a load in servers."""
    last = load**servers / factorial(servers) * servers / (servers - load)
    return last / (sum(load**number / factorial(number) for number in range(servers)) + last)


@pytest.mark.parametrize(("servers", "utilization"), [(1, 0.5), (2, 0.8), (5, 0.9)])
def test_waits_are_those_of_erlang_c(servers, utilization) -> None:
    service = 0.01
    rate = utilization * servers / service
    times = simulate_arrivals(
        {"web": servers}, [Visit("web", service, shape=1.0)], rate=rate, warm=20.0, seconds=300.0, rng=Random(1)
    )

    share = compute_erlang_c(servers, utilization * servers)
    spare = servers / service - rate

    assert len(times.seconds) / times.measured == pytest.approx(rate, rel=0.02)
    assert fmean(wait > 0 for wait in times.waits) == pytest.approx(share, rel=0.05)
    assert fmean(times.waits) == pytest.approx(share / spare, rel=0.15)
    assert fmean(times.seconds) == pytest.approx(service + share / spare, rel=0.1)
    # The tail of waits is exponential.
    longer = fmean(wait > 2 / spare for wait in times.waits)
    assert longer == pytest.approx(share * exp(-2), rel=0.25)


def simulate_arrivals(
    servers: dict[str, int], visits: Sequence[Visit], *, rate: float, warm: float, seconds: float, rng: Random
) -> Times:
    """Let requests come at random at a rate per second (a Poisson process), whatever their response times."""
    traffic = Traffic(servers, rng=rng, measured_from=warm)

    def come(now: float) -> None:
        traffic.send(now, visits, then=lambda _: None)
        traffic.schedule(now + rng.expovariate(rate), come)

    traffic.schedule(rng.expovariate(rate), come)
    return traffic.run(warm + seconds)


def test_two_stations_in_a_row_are_two_queues() -> None:
    # Departures of an M/M/c queue are again a Poisson process (Burke), so that mean times add up.
    visits = [Visit("web", 0.02, shape=1.0), Visit("database", 0.005, shape=1.0)]
    times = simulate_arrivals({"web": 1, "database": 1}, visits, rate=30.0, warm=30.0, seconds=1500.0, rng=Random(2))

    expected = 1 / (1 / 0.02 - 30) + 1 / (1 / 0.005 - 30)

    assert fmean(times.seconds) == pytest.approx(expected, rel=0.1)


def test_constant_service_times_wait_half_as_long() -> None:
    # Pollaczek and Khinchine: with one server the mean wait grows as 1 + the squared coefficient of variation.
    waits = [
        fmean(
            simulate_arrivals(
                {"web": 1}, [Visit("web", 0.01, shape=shape)], rate=70.0, warm=20.0, seconds=700.0, rng=Random(3)
            ).waits
        )
        for shape in (1.0, 10_000.0)
    ]

    assert waits[1] / waits[0] == pytest.approx(0.5, rel=0.15)


def test_raters_without_load_come_as_often_as_they_think() -> None:
    site = make_shared_site(judgment_ms=10.0, cores=2, think=3.0)

    times = simulate_raters(site, n_raters=30, warm=10.0, seconds=200.0, rng=Random(4))

    assert times.judgments_per_second == pytest.approx(30 / (3.0 + 0.01), rel=0.02)


def test_raters_work_as_much_at_the_start_as_later() -> None:
    site = make_shared_site(judgment_ms=1.0, cores=4, think=20.0)

    rates = [
        simulate_raters(site, n_raters=20_000, warm=warm, seconds=2.0, rng=Random(9)).judgments_per_second
        for warm in (0.5, 12.0)
    ]

    assert rates == pytest.approx([1000.0, 1000.0], rel=0.06)


def test_raters_beyond_the_capacity_get_all_of_it() -> None:
    site = make_shared_site(judgment_ms=20.0, cores=2, think=3.0)

    times = simulate_raters(site, n_raters=600, warm=10.0, seconds=60.0, rng=Random(5))

    # Two cores do 100 judgments a second; by Little's law the rest of the cycle of 6 s is waiting.
    assert times.judgments_per_second == pytest.approx(100.0, rel=0.02)
    assert 2 * fmean(times.seconds) == pytest.approx(600 / 100 - 3.0, rel=0.1)


def test_processes_are_the_fewest_that_keep_the_limit() -> None:
    options = {"web_ms": 8.0, "database_ms": 2.5, "n_raters": 2000, "think": 10.0, "seconds": 10.0, "seed": 6}

    processes, cores, times = find_processes(**options)

    assert times.find_quantile(0.95) <= LIMIT_MS / 1000
    # 200 judgments a second need 1.6 processes and half a core.
    assert (processes, cores) == (2, 1)


def test_same_seed_gives_the_same_times() -> None:
    site = make_shared_site(judgment_ms=10.0, cores=2, think=1.0)

    first, second, third = (
        simulate_raters(site, n_raters=20, warm=1.0, seconds=5.0, rng=Random(seed)) for seed in (7, 7, 8)
    )

    assert first == second != third
