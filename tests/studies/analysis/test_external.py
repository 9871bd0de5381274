"""Scores from outside beside those of this platform."""

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from correlation.resampling.intervals import IntervalRequest
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations
from studies.datasets.external_scores import check_metric_name, store_scores
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.models import Candidate, Study
from studies.scoring.errors import MissingScores
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW
from tests.studies.analysis.test_correlations import REGISTRY, make_judged, score

pytestmark = pytest.mark.django_db

# Human scores of the COCO challenge of 2015 (the competition's leaderboard), and CIDEr-D made up for the test.
SYSTEMS = """system,M1,M2,M3,M4,M5,CIDEr-D,TER
Google,.273,.317,4.107,2.742,.233,.94,.1
MSR,.268,.322,4.137,2.662,.234,.91,.2
Montreal,.262,.272,3.932,2.832,.197,.85,
Berkeley,.246,.268,3.924,2.786,.204,.87,.4
Random,.007,.020,1.084,3.247,.013,.05,.9
"""
CIDER = [0.94, 0.91, 0.85, 0.87, 0.05]
HUMAN = {"M1": [0.273, 0.268, 0.262, 0.246, 0.007], "M4": [2.742, 2.662, 2.832, 2.786, 3.247]}


def import_systems(tmp_path: Path) -> Study:
    path = tmp_path / "coco.csv"
    path.write_text(SYSTEMS)
    columns = ("metric_score=CIDEr-D", "metric_score=TER")
    options = ImportOptions(source=path, study="coco", column=columns, protocol="coco-2015")
    import_data("table", options=options, now=NOW)
    return Study.objects.get(name="coco")


def test_coco_2015_from_published_scores(tmp_path):
    gathered = gather_observations(import_systems(tmp_path), registry=REGISTRY)
    request = IntervalRequest("jackknife", ("systems",))

    rows = {(row.metric, row.category): row for row in correlate_observations(gathered, interval=request).rows}

    assert {metric for metric, _ in rows} == {"external:CIDEr-D", "external:TER"}
    for criterion, values in HUMAN.items():
        row = rows["external:CIDEr-D", criterion]
        oracle = scipy.stats.pearsonr(CIDER, values)
        # Five systems are too few for a test.
        assert (row.n, row.value, row.p_value) == (5, pytest.approx(oracle[0]), None)
        # The jackknife, written out: each system left out once.
        left = [np.corrcoef(np.delete(CIDER, out), np.delete(values, out))[0, 1] for out in range(5)]
        reach = scipy.stats.t.ppf(0.975, 4) * np.sqrt(4 / 5 * np.square(left - np.mean(left)).sum())
        assert row.low == pytest.approx(max(-1, oracle[0] - reach))
        assert row.high == pytest.approx(min(1, oracle[0] + reach))
    # TER was not published for one system.
    assert (rows["external:TER", "M1"].n, rows["external:TER", "M1"].n_missing) == (4, 1)


def store(study, values, *, name="theirs", higher_is_better=True, now=NOW):
    pks = dict(Candidate.objects.filter(dataset=study.dataset).values_list("key", "pk"))
    scores = {pks[key]: value for key, value in values.items()}
    return store_scores(
        study.dataset, name=name, values=scores, source="t.csv", higher_is_better=higher_is_better, now=now
    )


def test_scores_from_outside_join_those_of_installed_metrics():
    study = make_judged()
    score(study, metrics=["words"])
    # The judged captions have mean ratings of 3, 2 and 1.
    store(study, {"dog-first": 0.1, "cat-first": 0.2, "sea-first": 0.3}, higher_is_better=False)

    gathered = gather_observations(study, registry=REGISTRY)
    rows = {row.metric: row for row in correlate_observations(gathered).rows}

    assert (rows["external:theirs"].value, rows["external:theirs"].n) == (pytest.approx(1.0), 3)
    assert rows["words"].n == 3
    alone = gather_observations(study, registry=REGISTRY, metrics=["external:theirs"])
    assert [each.metric for each in alone.metrics] == ["external:theirs"]
    signatures = {each.metric: each.run.signature for each in gathered.metrics}
    again = gather_observations(study, signatures=signatures)
    assert [each.run for each in again.metrics] == [each.run for each in gathered.metrics]


def test_the_newest_scores_of_a_name_are_used():
    study = make_judged()
    first = store(study, {"dog-first": 1, "cat-first": 2, "sea-first": 3})
    store(study, {"dog-first": 3, "cat-first": 2, "sea-first": 1})

    newest = gather_observations(study, registry=REGISTRY, metrics=["external:theirs"])
    older = gather_observations(study, signatures={"external:theirs": first.signature})

    assert newest.metrics[0].scores[0, :, 0].tolist() == [3, 2, 1]
    assert older.metrics[0].scores[0, :, 0].tolist() == [1, 2, 3]


def test_unknown_scores_from_outside_are_named():
    study = make_judged()
    store(study, {"dog-first": 1, "cat-first": 2, "sea-first": 3})

    with pytest.raises(MissingScores, match=r"no scores of external:ours \(scores from outside: external:theirs\)"):
        gather_observations(study, registry=REGISTRY, metrics=["external:ours"])


@pytest.mark.parametrize("name", ["", "a,b", "a|b", " a", "a\nb", "x" * 81])
def test_refuses_a_name_that_commands_cannot_say(name):
    with pytest.raises(ImportFailed, match="metric: must be 1 to 80 characters without commas"):
        check_metric_name(name)
