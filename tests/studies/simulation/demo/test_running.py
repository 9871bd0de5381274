"""Tests of the whole demo: what is scored and found in it, and that it is made once."""

import pytest

from studies.analysis.reports import correlate_study
from studies.enums import TaskKind
from studies.publishing.freezing import load_report
from studies.publishing.public_matrix import find_public_matrix
from studies.publishing.public_studies import find_public_studies
from studies.simulation.demo.running import DemoResult, run_demo
from tests.factories.studies import NOW
from tests.shared_rows import share_in_module


def _run_demo() -> tuple[DemoResult, list[str]]:
    """Run the demo and return it with the steps that it told."""
    steps: list[str] = []
    return run_demo(now=lambda: NOW, say=steps.append), steps


# Once for all tests of this module, since scoring it takes half a minute.
demo_of_module = share_in_module(_run_demo)


@pytest.fixture
def first(demo_of_module, settings, tmp_path) -> tuple[DemoResult, list[str]]:
    """The first run of the demo and the steps that it told."""
    settings.MEDIA_ROOT = tmp_path
    return demo_of_module.take(tmp_path)


@pytest.mark.django_db
def test_the_demo_has_results_of_what_is_installed(first):
    demo, steps = first

    assert steps == [
        "images, studies and judgments",
        "scores of metrics for Ratings (simulated)",
        "scores of metrics for Worlds with known truth (computed)",
        "a report with intervals and tests",
    ]
    assert demo.failures == ()
    assert [study.name for study in demo.closed_studies] == [
        "demo-rating",
        "demo-pairwise",
        "demo-sets",
        "demo-slider",
        "demo-turing",
        "demo-best-worst",
        "demo-captions",
        "demo-worlds",
    ]
    assert len(demo.open_studies) == 8
    ratings, pairs, _, slider, turing, best_worst, _, worlds = (
        None if study.kind == TaskKind.CAPTION else correlate_study(study) for study in demo.closed_studies
    )
    # The metric of truth agrees with truth, and others less: captions with one wrong word share most of their words.
    auc = {row.metric: row.value for row in worlds.rows if (row.level, row.coefficient) == ("item", "auc")}
    assert auc["gtd-truthful"] == 1.0
    assert 0.5 < auc["bleu-4"] < 0.9
    # A caption that names no colour or number has no such score of SPICE's.
    whole = [
        [row for row in found.rows if not row.metric.startswith("spice-")]
        for found in (ratings, slider, turing, best_worst)
    ]
    assert {row.n for rows in whole for row in rows} == {48}
    assert ratings.study == "demo-rating"
    assert {(row.coefficient, row.n, row.n_missing) for row in whole[0]} == {
        (coefficient, 48, 0) for coefficient in ("pearson", "spearman", "kendall-c")
    }
    assert {row.n + row.n_missing for row in pairs.rows} == {72}
    # The simulated raters see quality, and BLEU-2 some of it: neither none nor all.
    (bleu,) = [row.value for row in ratings.rows if (row.metric, row.coefficient) == ("bleu-2", "pearson")]
    assert 0.3 < bleu < 0.9


@pytest.mark.django_db
def test_visitors_find_a_report_and_a_study_to_rate_in(first):
    demo, _ = first
    run_demo(now=lambda: NOW)

    opened, finished = find_public_studies()

    assert (opened.study.name, opened.is_open_to_all, opened.minutes) == ("demo-pairwise-open", True, 2)
    assert (finished.study, finished.study.is_simulated) == (demo.reported, True)
    (frozen,) = finished.reports
    report = load_report(frozen.study, frozen.number)[1]
    assert all(row.low is not None for row in report.rows)
    assert report.differences
    assert report.ceilings
    # What simulated raters say is no result.
    assert find_public_matrix().n_studies == 0


@pytest.mark.django_db
def test_each_run_has_a_new_password(first):
    demo, _ = first

    assert run_demo(now=lambda: NOW).password != demo.password
