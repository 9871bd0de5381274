import pytest

from studies.simulation.demo.running import run_demo
from tests.factories.studies import NOW
from tests.studies.simulation.demo.test_content import FOLDER


@pytest.mark.django_db
def test_the_demo_has_results_of_what_is_installed(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path

    demo = run_demo(FOLDER, now=lambda: NOW)

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
    ratings, pairs, _, slider, turing, best_worst, captions, worlds = demo.results
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
    assert captions.rows == ()
    assert ratings.study == "demo-rating"
    assert {(row.coefficient, row.n, row.n_missing) for row in whole[0]} == {
        (coefficient, 48, 0) for coefficient in ("pearson", "spearman", "kendall-c")
    }
    assert {row.n + row.n_missing for row in pairs.rows} == {72}
    # The simulated raters see quality, and BLEU-2 some of it: neither none nor all.
    (bleu,) = [row.value for row in ratings.rows if (row.metric, row.coefficient) == ("bleu-2", "pearson")]
    assert 0.3 < bleu < 0.9


@pytest.mark.django_db
def test_each_run_has_a_new_password(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path

    passwords = {run_demo(FOLDER, now=lambda: NOW).password for _ in range(2)}

    assert len(passwords) == 2
