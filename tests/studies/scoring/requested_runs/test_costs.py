"""Tests of the estimated computing time of runs, and of the warning about runs that took much longer."""

from dataclasses import replace

import pytest

from metrics_plugins.runtime.rates import find_rate
from studies.models import RequestedMetric, Run
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.costs import estimate_costs, find_overrun, spread_loading
from studies.scoring.requested_runs.requests import request_scoring
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.studies.scoring.requested_runs.scored_here import work_on

LENGTH = load_catalog().get("length")
OUTSIDE = replace(LENGTH, info=replace(LENGTH.info, id="outside"), bundled=False)


def make_run(metric, *, n_rows, seconds, **extra):
    given = {"signature": f"{metric}|v:1", "input_digest": f"{n_rows} rows", "chunk_size": 5000, "plugin": "x 1"}
    extra = {"device": "cpu", "started_at": NOW, "finished_at": NOW, **extra}
    counts = {"n_rows": n_rows, "seconds": seconds, "higher_is_better": True, "versions": {}, "dtype": "float64"}
    return Run.objects.create(metric=metric, **given, **counts, **extra)


def estimate(study, *entries):
    """Return the seconds of each metric in a run of its own."""
    return {name: cost.alone for name, cost in estimate_costs(study, entries).items()}


def test_without_runs_the_measured_speed_counts(study):
    n_rows = study.dataset.candidates.count()
    rate = find_rate(LENGTH.info)

    expected = rate.startup + n_rows * rate.seconds / rate.items
    assert estimate(study, LENGTH, OUTSIDE) == {"length": pytest.approx(expected)}


def test_models_are_loaded_once_for_a_family(study):
    catalog = load_catalog()
    spice, colors, cosine = (catalog.get(name) for name in ("spice", "spice-color", "sentence-cosine"))

    costs = estimate_costs(study, [spice, colors, cosine, LENGTH])
    spread = spread_loading(costs)

    # Loading a parser and an encoder takes a second at least, on any machine that measured it.
    startups = {name: find_rate(catalog.get(name).info).startup for name in costs}
    assert min(startups["spice"], startups["spice-color"], startups["sentence-cosine"]) > 1
    assert {name: cost.loading for name, cost in costs.items()} == startups
    # In the order of names.
    assert spread["spice"] == pytest.approx(costs["spice"].rows + max(startups["spice"], startups["spice-color"]))
    assert spread["spice-color"] == costs["spice-color"].rows
    assert spread["sentence-cosine"] == costs["sentence-cosine"].alone


def test_earlier_runs_count_by_their_rows(study):
    n_rows = study.dataset.candidates.count()
    rate = find_rate(LENGTH.info)
    make_run("length", n_rows=2000, seconds=500.0)
    make_run("length", n_rows=1000, seconds=100.0)
    # Neither is what a worker will need.
    make_run("length", n_rows=7, seconds=900.0, finished_at=None)
    make_run("length", n_rows=8, seconds=900.0, device="cuda")

    # 600 s for 3,000 rows, beside 1,000 rows at the measured speed.
    expected = (600.0 + 1000 * rate.seconds / rate.items) / 4000
    assert estimate(study, LENGTH) == {"length": pytest.approx(rate.startup + n_rows * expected)}


def test_short_runs_that_took_longer_than_measured_tell_how_long_loading_takes(study):
    n_rows = study.dataset.candidates.count()
    rate = find_rate(LENGTH.info)
    per_row = rate.seconds / rate.items
    make_run("length", n_rows=30, seconds=5.0)
    make_run("length", n_rows=50, seconds=7.0)

    # 12 s for two runs, less what 80 rows take at the measured speed; the few rows change nothing of the speed.
    loading = (12.0 - 80 * per_row) / 2
    assert estimate(study, LENGTH) == {"length": pytest.approx(loading + n_rows * per_row)}
    assert estimate(study, LENGTH)["length"] == pytest.approx(6.0, rel=0.01)


def test_short_runs_in_which_another_metric_loaded_change_nothing(study):
    cosine = load_catalog().get("sentence-cosine")
    before = estimate(study, cosine)
    make_run("sentence-cosine", n_rows=30, seconds=0.1)

    assert estimate(study, cosine) == before


def test_long_runs_tell_nothing_of_loading(study):
    make_run("outside", n_rows=2000, seconds=20.0)
    make_run("outside", n_rows=10, seconds=4.1)

    # 0.01 s for a row, so that 4 s of the short run were for loading.
    assert estimate(study, OUTSIDE) == {"outside": pytest.approx(4.0 + study.dataset.candidates.count() * 0.01)}


@pytest.mark.parametrize(("n_rows", "is_known"), [(99, False), (100, True)])
def test_metrics_that_were_not_measured_need_enough_rows(study, n_rows, is_known):
    make_run("outside", n_rows=n_rows, seconds=n_rows * 0.5)

    found = estimate(study, OUTSIDE)

    assert found == ({"outside": pytest.approx(study.dataset.candidates.count() * 0.5)} if is_known else {})


def test_what_is_scored_costs_nothing(study):
    before = estimate(study, LENGTH)
    score_study(study, now=lambda: NOW, metrics=["length"])

    assert before["length"] > 0
    assert estimate(study, LENGTH) == {"length": 0.0}


def test_a_run_keeps_its_estimate_and_the_time_it_took(study, actor):
    costs = spread_loading(estimate_costs(study, [LENGTH, load_catalog().get("cider-d")]))
    run = request_scoring(study, metrics=["length", "cider-d"], catalog=load_catalog(), actor=actor, now=NOW)
    work_on(run.pk, now=lambda: NOW)

    found = {each.metric: each for each in run.metrics.all()}
    assert {name: each.estimated_seconds for name, each in found.items()} == pytest.approx(costs)
    for name, each in found.items():
        # Fitting counts too, so that it is at least the time of the chunks.
        assert each.seconds >= Run.objects.get(metric=name).seconds > 0


@pytest.mark.parametrize(
    ("estimated", "seconds", "factor"),
    [
        ((180.0, 0.0), (2340.0, 1.0), 13.0),
        ((20.0, 10.0), (80.0, 10.0), 3.0),
        ((20.0, 10.0), (79.0, 10.0), None),
        ((300.0, 300.0), (900.0, 899.0), None),
        ((0.0, None), (61.0, 500.0), 61.0),
        ((None, None), (500.0, 500.0), None),
    ],
)
def test_much_more_than_estimated_is_an_overrun(estimated, seconds, factor):
    metrics = [
        RequestedMetric(metric=name, estimated_seconds=planned, seconds=taken)
        for name, planned, taken in zip(("spice", "length"), estimated, seconds, strict=True)
    ]

    found = find_overrun(metrics)

    assert (found and found.slowest.metric) == (factor and "spice")
    assert found is None or found.factor == pytest.approx(factor, abs=0.05)


def test_an_overrun_of_nothing_is_none():
    assert find_overrun([]) is None
