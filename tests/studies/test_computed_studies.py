"""Tests that computed judgments are marked as such wherever they are shown, exported or described."""

import json
import re
from pathlib import Path

import pytest
from django.urls import reverse

from correlation.errors import CorrelationInputError
from metrics_plugins.api import Input, Level
from studies.analysis.agreement import measure_study
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.collection.lifecycle import CannotChangeState, open_study
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.models import Study
from studies.publishing.bundles.making import make_bundle
from studies.publishing.bundles.rebuilding import rebuild_bundle
from studies.publishing.exporting.mtme import write_mtme
from studies.publishing.exports import JUDGMENT_COLUMNS, read_judgments
from studies.publishing.methods.facts import collect_facts
from studies.publishing.methods.heds import write_heds
from studies.publishing.methods.text import write_methods
from studies.publishing.report_jobs import ReportChoices, keep_report
from studies.scoring.inputs import build_rows
from studies.scoring.references import ReferenceSelection
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.studies.known_worlds import write_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings, tmp_path: Path) -> Study:
    """A study of six captions of three worlds, judged by truth and scored by two metrics."""
    settings.MEDIA_ROOT = tmp_path / "media"
    options = ImportOptions(write_folder(tmp_path / "worlds"), study="truth", system=("good.txt", "bad.txt"))
    import_data("shapeworld", options=options, now=NOW)
    study = Study.objects.get()
    score_study(study, now=lambda: NOW, metrics=["gtd-truthful", "bleu-1"])
    return study


def test_report_and_methods(study: Study) -> None:
    gathered = gather_observations(study)
    report = report_observations(gathered)
    facts = collect_facts(gathered, report)

    assert report.ceilings == ()
    assert "no human ceiling: the judgments are computed, not human" in report.notes
    first, second = write_methods(facts, report).paragraphs
    assert first == (
        "The data set ShapeWorld has 6 items to judge on 3 images, by 2 systems, with 2 references for each image. "
        "The judgments are computed, not human: a caption is 1 if it is true of the known world of its image, and 0 if "
        "it is false, ambiguous or ungrammatical (Kuhnle, Copestake (2017), ShapeWorld, arXiv 1704.04517. Truth "
        "computed from the worlds, profile S.). There are 6 judgments, 1 for each of 6 items."
    )
    assert second.startswith("Metrics were compared with computed truth under protocol gtd-truth@1: ")
    sheet = json.dumps(write_heds(facts, report))
    assert "Nobody: the judgments are computed from known worlds, not human." in sheet
    assert "Raters rated" not in sheet


def test_no_agreement_of_raters(study: Study) -> None:
    with pytest.raises(CorrelationInputError, match="its judgments are computed by one judge"):
        measure_study(study)
    gathered = gather_observations(study)
    choices = ReportChoices(method="percentile", clusters=("raters",), resamples=20)
    chosen = choices.choose_inference(study, gathered.protocol, n_metrics=len(gathered.metrics))
    with pytest.raises(CorrelationInputError, match="there are no raters to resample"):
        report_observations(gathered, interval=chosen.interval)


def test_cannot_be_opened(study: Study) -> None:
    with pytest.raises(CannotChangeState, match="computed judgments, which must not be mixed with people's"):
        open_study(study, now=NOW)


def test_exports(study: Study) -> None:
    rows = list(read_judgments(study))
    columns = list(JUDGMENT_COLUMNS[study.kind])

    assert {row[columns.index("rater")] for row in rows} == {"world"}
    assert all(row[columns.index("answer")]["computed"] for row in rows)
    archive = write_mtme(study)
    assert b"img-txt.computed-truth.seg.score" in archive
    assert b"judgments" not in archive


def test_bundle(study: Study, tmp_path: Path) -> None:
    gathered = gather_observations(study)
    keep_report(gathered, report_observations(gathered), now=NOW)
    make_bundle(study, 1, path=tmp_path / "bundle.zip")

    rebuild_bundle(tmp_path / "bundle.zip", now=NOW, keep="rebuilt")

    rebuilt = Study.objects.get(name="rebuilt")
    assert rebuilt.is_computed
    assert rebuilt.dataset.world_profile == "S"
    # The worlds are there too, so that other metrics can read them.
    rows = build_rows(rebuilt.dataset, level=Level.SEGMENT, selection=ReferenceSelection("all"))
    assert Input.WORLD in rows.available_inputs
    assert rows.digest != ""
    assert [world.evaluate_caption("a shape is red .") for world in rows.make_batch([0, 2]).worlds] == [1, -1]


def test_page(study: Study, admin_client) -> None:
    page = " ".join(admin_client.get("/studies/truth/").content.decode().split())

    assert "The judgments in this study are <b>computed</b>, not human" in page
    assert re.search(r"Agreement of \d+ metrics? with computed truth", page)
    assert "human judgments" not in page
    assert '<span class="state computed">Computed</span>' in page
    listed = admin_client.get(reverse("studies:list")).content.decode()
    assert '<span class="state computed">Computed</span>' in listed
