from datetime import timedelta

import numpy as np
import pytest

from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports import Report
from correlation.reports.values import ReportDesign, ReportMetric
from studies.analysis.reports import Correlated
from studies.analysis.results import arrange_results, find_results, load_results
from studies.enums import StudyState
from studies.models import ScoreChunk, Study
from studies.monitoring.exclusion import exclude_rater
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items, make_scored_study


def _row(metric, value, *, category=None, coefficient="accuracy", n=10, n_missing=0):
    return ResultRow(metric, "pair", coefficient, category, value, None, None, n, n_missing)


def _found(rows, *, order):
    metrics = tuple(ReportMetric(name) for name in order)
    report = Report("study", "p@1", metrics, tuple(rows), (), (), ReportDesign(None, (), None, "none", 0.05, 1, 0))
    return Correlated("study", "p@1", tuple(rows), {name: f"{name}|" for name in order}, report)


def _get_line(table, metric):
    (line,) = [line for line in table.lines if line.name == metric]
    return line


def test_arrange_results_has_a_row_per_metric_and_a_column_per_measure():
    rows = [
        _row("a", 0.9, category="HC", n=5),
        _row("a", 0.6, category="mean", n=10, n_missing=1),
        _row("b", 0.1, category="HC", n=5),
        _row("b", 0.7, category="mean", n=9, n_missing=2),
    ]

    table = arrange_results(_found(rows, order=("b", "a")))

    assert table.protocol == "p@1"
    assert table.measures == (ResultMeasure("pair", "accuracy", "HC"), ResultMeasure("pair", "accuracy", "mean"))
    assert table.metrics == ("b", "a")
    assert [cell.value for cell in _get_line(table, "b").cells] == [0.1, 0.7]
    assert (_get_line(table, "b").n, _get_line(table, "b").n_missing) == (9, 2)
    assert table.signatures == ("b|", "a|")
    assert table.has_categories is True
    assert table.has_undefined is False


def test_arrange_results_puts_the_undefined_last_and_leaves_gaps():
    rows = [
        _row("none", None),
        _row("low", -0.5),
        _row("high", 0.5),
        _row("high", 0.25, coefficient="pearson"),
    ]

    table = arrange_results(_found(rows, order=("high", "low", "none")))

    assert table.metrics == ("high", "low", "none")
    assert [cell and cell.value for cell in _get_line(table, "low").cells] == [-0.5, None]
    assert _get_line(table, "low").cells[1] is None
    assert table.has_undefined is True


@pytest.mark.django_db
def test_load_results_sees_a_new_judgment_at_once():
    study = make_scored_study(values=(1, 2, 3))
    before = load_results(study)

    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)
    after = load_results(study)

    # By hand: of 3 pairs all agree, tau-c = 2 * 3 / (9 * 2/3) = 1. The new one is tied in length with the first
    # judgment, tied in value with the last, discordant with the second: 2 * (3 - 1) / (16 * 2/3) = 0.375.
    assert [_get_line(before.table, "length").cells[0].value, _get_line(before.table, "length").n] == [1.0, 3]
    assert [_get_line(after.table, "length").cells[0].value, _get_line(after.table, "length").n] == [0.375, 4]


def make_live_study():
    study = make_scored_study(values=(1, 2, 3))
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    study.refresh_from_db()
    return study


def load_after(study, seconds, *, took):
    """Load so many seconds after NOW, with a clock by which computing takes `took` seconds."""
    ticks = iter((0.0, took))
    return find_results(study, now=NOW + timedelta(seconds=seconds), clock=lambda: next(ticks))


@pytest.mark.django_db
def test_results_of_an_open_study_that_take_long_are_kept_for_twenty_times_as_long():
    study = make_live_study()
    load_after(study, 0, took=3.0)
    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)

    early, late = load_after(study, 59.9, took=3.0), load_after(study, 60, took=3.0)

    assert (early.as_of, _get_line(early.table, "length").n) == (NOW, 3)
    assert (late.as_of, _get_line(late.table, "length").n) == (None, 4)
    assert load_after(study, 61, took=3.0).as_of == NOW + timedelta(seconds=60)


@pytest.mark.django_db
def test_results_that_still_hold_need_not_be_made_again(django_assert_num_queries):
    study = make_live_study()
    made = load_after(study, 0, took=3.0)

    with django_assert_num_queries(7):
        found = load_after(study, 3600, took=3.0)

    assert (found, found.as_of) == (made, None)


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "took"), [(StudyState.OPEN, 0.2), (StudyState.CLOSED, 3.0), (StudyState.DRAFT, 3.0)])
def test_results_are_exact_where_they_are_quick_or_nobody_is_at_work(state, took):
    study = make_live_study()
    study.state = state
    load_after(study, 0, took=took)
    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)

    after = load_after(study, 0.1, took=took)

    assert (after.as_of, _get_line(after.table, "length").n) == (None, 4)


@pytest.mark.django_db
def test_an_exclusion_shows_at_once_however_long_results_take():
    study = make_live_study()
    make_judgment(list_items(study)[0], rater := make_rater(study, "rater-2"), 3.0)
    load_after(study, 0, took=3.0)

    exclude_rater(rater, reason="asleep", now=NOW)

    assert _get_line(load_after(study, 1, took=3.0).table, "length").n == 3


@pytest.mark.django_db
def test_downloads_have_current_results():
    study = make_live_study()
    load_after(study, 0, took=3.0)
    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)

    assert _get_line(load_results(study).table, "length").n == 4


@pytest.mark.django_db
def test_one_process_computes_while_others_show_the_cached_value():
    study = make_live_study()
    load_after(study, 0, took=3.0)
    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)
    seen = []

    def look():
        # Asked in the middle of the computing, by somebody else.
        seen.append(find_results(study, now=NOW + timedelta(seconds=100), clock=lambda: 0.0))
        return 0.0

    find_results(study, now=NOW + timedelta(seconds=100), clock=look)

    assert [(each.as_of, _get_line(each.table, "length").n) for each in seen[:1]] == [(NOW, 3)]


@pytest.mark.django_db
def test_load_results_says_which_command_to_run():
    results = load_results(make_scored_study(score=False))

    assert (results.found, results.table) == (None, None)
    assert results.problem.endswith("run: manage.py score study")


@pytest.mark.django_db
def test_load_results_says_what_is_wrong_with_the_protocol():
    results = load_results(make_study(protocol="nonsense@1"))

    assert results.problem.startswith("protocol nonsense@1: unknown protocol")


@pytest.fixture
def infinite_study():
    """A study whose scores by `length` have an infinite one, as data had that was scored before they were refused."""
    study = make_scored_study(values=(1, 2, 3, 4))
    chunk = ScoreChunk.objects.get(run__metric="length")
    values = np.frombuffer(chunk.values, dtype="<f8").copy()
    values[0] = np.inf
    ScoreChunk.objects.filter(pk=chunk.pk).update(values=values.tobytes())
    return study


@pytest.mark.django_db
def test_an_infinite_score_of_old_data_is_missing_and_named_and_the_other_metrics_go_on(infinite_study):
    results = load_results(infinite_study)

    assert (results.problem, results.infinite) == ("", (("length", 1),))
    assert set(results.table.metrics) == {"length", "rouge-l"}
    line = _get_line(results.table, "length")
    assert (line.n, line.n_missing, line.cells[0].value) == (3, 1, 1.0)
    assert _get_line(results.table, "rouge-l").n == 4


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/studies/study/", "/studies/study/explore/"])
def test_pages_say_which_metric_has_an_infinite_score(infinite_study, page, admin_client):
    content = admin_client.get(page).content.decode()

    assert "1 score of <b>length</b> is infinite and is treated as missing." in content
    assert ">rouge-l</a>" in content
