"""Checks on fitting and on decomposable metrics."""

from metrics_plugins.api.errors import CheckFailed
from metrics_plugins.api.info import FitsOn
from metrics_plugins.api.metric import DecomposableMetric, Fittable
from metrics_plugins.api.scores import Scores
from metrics_plugins.runtime.checks.subject import Subject, require, require_equal

_SUM_TOLERANCE = 1e-12


def check_declared_fitting(subject: Subject) -> None:
    """A `Fittable` declares what it fits on; a plain `Metric` declares that it fits on nothing."""
    fits = subject.info.fits_on is not FitsOn.NOTHING
    role = "Fittable" if issubclass(subject.metric_class, Fittable) else "Metric"
    expected = "a Fittable to declare what it fits on, and a Metric to declare nothing"
    require(fits == (role == "Fittable"), expected=expected, came=f"a {role} with fits_on {subject.info.fits_on}")


def check_fit_repeatable(subject: Subject) -> None:
    """Two fits on the same rows with equal generators give equal scores, and the first fitted metric is unaffected."""
    metric = _build_fittable(subject)
    first = subject.fit(metric, subject.fit_sample)
    before = subject.score(first, subject.sample)
    second = subject.fit(metric, subject.fit_sample)
    again = subject.score(second, subject.sample)
    require_equal(before.values, again.values, keys=before.keys, expected="the same scores after fitting twice")
    subject.fit(metric, subject.sample.take([0]))
    after = subject.score(first, subject.sample)
    expected = "a fitted metric to keep its scores when its Fittable is fitted on other rows"
    require_equal(before.values, after.values, keys=before.keys, expected=expected)


def check_fitted_info(subject: Subject) -> None:
    """The fitted metric has the info and the signature of the unfitted one."""
    metric = _build_fittable(subject)
    fitted = subject.fit(metric, subject.fit_sample)
    require(fitted.info == metric.info, expected="the fitted metric to have the same info", came=fitted.info)
    expected = f"the fitted metric to have the signature `{metric.signature}`"
    require(fitted.signature == metric.signature, expected=expected, came=f"`{fitted.signature}`")


def check_fitted_on(subject: Subject) -> None:
    """`fitted_on` lists the keys of all rows whose judgments the metric learned from, and no others."""
    fitted = subject.fit(_build_fittable(subject), subject.fit_sample)
    learned = subject.info.fits_on is FitsOn.JUDGMENTS
    keys = frozenset(subject.fit_sample.keys) if learned else frozenset()
    expected = f"fitted_on to hold the {len(keys)} keys of the rows whose judgments it learned from"
    came = f"{len(fitted.fitted_on)} keys, of which {len(fitted.fitted_on & keys)} are right"
    require(fitted.fitted_on == keys, expected=expected, came=came)


def check_statistics(subject: Subject) -> None:
    """For a decomposable metric, `reduce` of a row's statistics is its score, and of their sum the system score."""
    metric = subject.make()
    if not isinstance(metric, DecomposableMetric):
        return
    view = subject.sample.make_batch().restrict(subject.info)
    statistics = metric.statistics(view)
    shape = (len(subject.sample), metric.n_statistics)
    require(statistics.shape == shape, expected=f"statistics of shape {shape}", came=statistics.shape)
    scores, reduced = metric.score(view), metric.score_statistics(statistics, keys=view.keys)
    require_equal(
        scores.values, reduced.values, keys=scores.keys, expected="score to be reduce of each row's statistics"
    )
    corpus = Scores.make(["corpus"], [float(metric.reduce(statistics.sum(axis=0)))])
    backwards = [metric.reduce_corpus(statistics[::-1])]
    require_equal(
        corpus.values,
        Scores.make(corpus.keys, backwards).values,
        keys=corpus.keys,
        rtol=_SUM_TOLERANCE,
        expected="reduce_corpus to be reduce of the sum of statistics",
    )


def _build_fittable(subject: Subject) -> Fittable:
    metric = subject.build()
    if not isinstance(metric, Fittable):
        raise CheckFailed(f"expected build to return a Fittable; got {type(metric).__name__}")
    return metric
