import pytest

from studies.domain.analysis import ResultRow
from studies.domain.results import Measured, arrange_results, load_results
from tests.factories.studies import make_judgment, make_rater, make_study
from tests.studies.scored import list_items, make_scored_study


def _row(metric, value, *, category=None, coefficient="accuracy", n=10, n_missing=0):
    return ResultRow(
        "study", "p@1", metric, coefficient, "pair", category, value, None, None, n, n_missing, f"{metric}|"
    )


def test_arrange_results_puts_metrics_down_and_measures_across():
    rows = [
        _row("a", 0.9, category="HC", n=5),
        _row("a", 0.6, category="mean", n=10, n_missing=1),
        _row("b", 0.1, category="HC", n=5),
        _row("b", 0.7, category="mean", n=9, n_missing=2),
    ]

    table = arrange_results(rows)

    assert table.protocol == "p@1"
    assert table.measures == (Measured("accuracy", "pair", "HC"), Measured("accuracy", "pair", "mean"))
    assert table.metrics == ("b", "a")
    assert [cell.value for cell in table.get_line("b").cells] == [0.1, 0.7]
    assert (table.get_line("b").n, table.get_line("b").n_missing) == (9, 2)
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

    table = arrange_results(rows)

    assert table.metrics == ("high", "low", "none")
    assert [cell and cell.value for cell in table.get_line("low").cells] == [-0.5, None]
    assert table.get_line("low").cells[1] is None
    assert table.has_undefined is True


@pytest.mark.django_db
def test_load_results_sees_a_new_judgment_at_once():
    study = make_scored_study(values=(1, 2, 3))
    before = load_results(study)

    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)
    after = load_results(study)

    # By hand: of 3 pairs all agree, tau-c = 2 * 3 / (9 * 2/3) = 1. The new one is tied in length with the first
    # judgment, tied in value with the last, discordant with the second: 2 * (3 - 1) / (16 * 2/3) = 0.375.
    assert [before.table.get_line("length").cells[0].value, before.table.get_line("length").n] == [1.0, 3]
    assert [after.table.get_line("length").cells[0].value, after.table.get_line("length").n] == [0.375, 4]


@pytest.mark.django_db
def test_load_results_says_which_command_to_run():
    results = load_results(make_scored_study(score=False))

    assert (results.rows, results.table) == ((), None)
    assert results.problem.endswith("run: manage.py score study")


@pytest.mark.django_db
def test_load_results_says_what_is_wrong_with_the_protocol():
    results = load_results(make_study(protocol="nonsense@1"))

    assert results.problem.startswith("protocol nonsense@1: unknown protocol")
