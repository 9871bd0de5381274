import numpy as np
import pytest

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.resampling.counts import BootstrapPlan, Units, choose_chunk, iterate_leave_out, plan_bootstrap

UNITS = Units.build(images=np.array([0, 0, 1, 1]), raters=np.array([0, 1, 0, 1]), rows=np.arange(4))


def test_the_weight_of_a_row_is_the_product_of_its_units():
    counts = {"images": np.array([[2.0, 0]]), "raters": np.array([[1.0, 3]])}

    assert UNITS.weigh(counts).tolist() == [[2, 6, 0, 0]]
    assert counts["images"].tolist() == [[2, 0]]


def test_reordered_units_follow_their_rows():
    assert UNITS.reorder(np.array([3, 0])).codes["raters"].tolist() == [1, 0]


def test_every_resample_draws_as_many_units_as_there_are():
    plan = plan_bootstrap(["images", "raters"], n_resamples=50, rng=np.random.default_rng(3))

    assert plan.draw_counts("images", 7, start=0, stop=50).sum(axis=1).tolist() == [7.0] * 50


def test_draws_depend_on_seed_axis_and_number_alone():
    plan = plan_bootstrap(["images", "raters"], n_resamples=20, rng=np.random.default_rng(3))
    again = plan_bootstrap(["images", "raters"], n_resamples=20, rng=np.random.default_rng(3))

    whole = plan.draw_counts("images", 9, start=0, stop=20)

    assert again == plan
    assert np.array_equal(again.draw_counts("images", 9, start=13, stop=17), whole[13:17])
    assert not np.array_equal(plan.draw_counts("raters", 9, start=0, stop=20), whole)


# A unit drawn n times from n is drawn once on average; its variance is 1 - 1/n.
def test_counts_have_mean_and_variance_of_the_multinomial():
    counts = BootstrapPlan(("images",), 20_000, 11).draw_counts("images", 10, start=0, stop=20_000)

    assert counts.mean() == 1
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.04)


def test_chunks_cover_every_resample_in_order():
    units = Units.build(images=np.arange(60_000) % 5)
    plan = BootstrapPlan(("images",), 5, 1)

    chunks = [counts["images"] for counts in plan.iterate(units)]

    assert [len(chunk) for chunk in chunks] == [2, 2, 1]
    assert np.array_equal(np.concatenate(chunks), plan.draw_counts("images", 5, start=0, stop=5))


def test_the_jackknife_leaves_each_unit_out_once():
    counts = np.concatenate([chunk["raters"] for chunk in iterate_leave_out("raters", UNITS)])

    assert counts.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(("n_rows", "chunk"), [(0, 64), (10, 64), (17_000, 8), (10**6, 1)])
def test_a_chunk_fits_the_cache(n_rows, chunk):
    assert choose_chunk(n_rows) == chunk


@pytest.mark.parametrize(
    ("axes", "n_resamples", "error", "message"),
    [
        ((), 10, CorrelationInputError, "must name at least one axis"),
        (("images", "images"), 10, CorrelationInputError, "none of them twice"),
        (("items",), 10, UnknownNameError, "unknown axis of resampling 'items'; known are: images, raters"),
        (("images",), 0, CorrelationInputError, "`n_resamples` must be at least 1, got 0"),
    ],
)
def test_refuses(axes, n_resamples, error, message):
    with pytest.raises(error, match=message):
        plan_bootstrap(axes, n_resamples=n_resamples, rng=np.random.default_rng())


def test_units_refuse_an_unknown_axis():
    with pytest.raises(UnknownNameError, match="unknown axis of resampling 'items'"):
        Units.build(items=np.arange(2))
