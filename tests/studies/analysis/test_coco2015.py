"""COCO's challenge of 2015 on fifteen made-up systems, from their captions and from published scores of metrics."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from django.core.management import call_command

from metrics_plugins.runtime import load_registry
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.models import Study
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin
from tests.studies.datasets.importing.published.test_fense import Share

pytestmark = pytest.mark.django_db

CRITERIA = ("M1", "M2", "M3", "M4", "M5")
WORDS = ("a", "dog", "runs", "on", "green", "grass", "in", "the", "sun")
REFERENCE = " ".join(WORDS[:8])
RNG = np.random.default_rng(7)
# The n-th system says the first words of the reference for one image, and one word less for the other.
N_WORDS = RNG.integers(2, 9, size=15)
HUMAN = np.round(N_WORDS[:, None] / 8 + RNG.normal(scale=0.3, size=(15, 5)), 3)
MEANS = (N_WORDS + N_WORDS - 1) / 2 / 8


def write_captions(path: Path) -> Path:
    rows = [
        [image, f"system-{number}", " ".join(WORDS[: n_words - less]), REFERENCE, *HUMAN[number]]
        for number, n_words in enumerate(N_WORDS)
        for less, image in enumerate(("one", "two"))
    ]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["image", "system", "candidate", "reference", *CRITERIA], *rows])
    return path


def test_fifteen_systems_from_their_captions(tmp_path, capsys):
    source = write_captions(tmp_path / "coco.csv")
    import_data("table", options=ImportOptions(source, protocol="coco-2015", study="coco"), now=NOW)
    study = Study.objects.get(name="coco")
    registry = load_registry([ExamplePlugin(Share)], blocked=INSTALLED_PLUGINS)
    score_study(study, now=lambda: NOW, registry=registry)

    found = correlate_observations(gather_observations(study, registry=registry))

    for record, human in zip(found.list_records(), HUMAN.T, strict=True):
        oracle = scipy.stats.pearsonr(MEANS, human)
        assert (record["n"], record["value"]) == (15, pytest.approx(oracle[0]))
        assert record["p_value"] == pytest.approx(oracle[1])
    assert [row.category for row in found.rows] == list(CRITERIA)


def test_fifteen_systems_from_published_scores(tmp_path, capsys):
    path = tmp_path / "systems.csv"
    with path.open("w", newline="") as file:
        rows = [[f"system-{number}", *HUMAN[number], MEANS[number]] for number in range(15)]
        csv.writer(file).writerows([["system", *CRITERIA, "Share"], *rows])
    options = ImportOptions(path, protocol="coco-2015", study="coco", column=("metric_score=Share",))
    import_data("table", options=options, now=NOW)

    call_command("correlate", "coco", "--json")

    records = json.loads(capsys.readouterr().out)
    oracles = [scipy.stats.pearsonr(MEANS, human) for human in HUMAN.T]
    assert [(record["category"], record["n"]) for record in records] == [(name, 15) for name in CRITERIA]
    assert [record["p_value"] for record in records] == pytest.approx([oracle[1] for oracle in oracles])
    # The default interval is a jackknife over systems.
    assert all(record["low"] < record["value"] < record["high"] for record in records)
