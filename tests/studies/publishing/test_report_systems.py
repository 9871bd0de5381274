"""Tests of the ranking of systems in frozen reports: frozen, shown, downloaded, bundled, and left out."""

import json
import zipfile

import pytest

from studies.access.audit import COMMAND_LINE
from studies.analysis.correlations import gather_observations
from studies.analysis.systems.files import print_json
from studies.analysis.systems.ranking import rank_study
from studies.enums import TaskKind
from studies.models import Judgment
from studies.publishing.bundles.making import make_bundle
from studies.publishing.freezing import freeze_report
from studies.publishing.report_jobs import ReportChoices, keep_report, request_report
from studies.publishing.report_pages import list_parts
from studies.publishing.report_systems import freeze_ranking
from studies.scoring.study_scoring import score_study
from tests.correlation.reports.example import REPORT
from tests.factories.studies import NOW
from tests.studies.analysis.ranked import make_ranked_study
from tests.studies.pages import read
from tests.studies.publishing.test_report_jobs import work

pytestmark = pytest.mark.django_db
BASE = "/studies/ranked/reports/1/"


@pytest.fixture
def researcher(client, owner):
    client.force_login(owner)
    return client


def freeze(study):
    score_study(study, now=lambda: NOW, metrics=("length", "rouge-l"))
    return keep_report(gather_observations(study), REPORT, now=NOW)


def test_the_page_shows_the_ranking_as_it_was_when_the_report_was_frozen(researcher, owner):
    study = make_ranked_study(owner=owner)
    best = rank_study(study).rankings[0].systems[0]
    freeze(study)
    Judgment.objects.all().delete()

    page = read(researcher.get(BASE))

    assert f"best has the highest mean rating: {best.value:.3f} [{best.low:.3f}, {best.high:.3f}]" in page
    assert f'src="{BASE}systems-forest-0.svg"' in page
    assert f'<a href="{BASE}systems-table.tex?download=1"' in page
    assert "Differences between systems, by mean rating" in page
    assert "How systems are ranked" in page


@pytest.mark.parametrize(
    ("part", "begins"),
    [
        ("systems-table.csv", b"system,letters,mean rating,low,high"),
        ("systems-table.tex", b"% Needs"),
        ("systems-table.md", b"**ranked"),
        ("systems-differences.csv", b"measure,better,worse,difference"),
        ("systems-forest.svg", b"<svg"),
        ("systems-forest-0.svg", b"<svg"),
        ("systems-forest-narrow-0.svg", b"<svg"),
    ],
)
def test_parts_are_files(researcher, owner, part, begins):
    freeze(make_ranked_study(owner=owner))

    response = researcher.get(f"{BASE}{part}")

    assert (response.status_code, response.content[: len(begins)]) == (200, begins)


@pytest.mark.parametrize(
    "part",
    [
        "systems-forest-1.svg",
        "systems-forest-x.svg",
        "systems-table.pdf",
        "systems-table-1.csv",
        "systems-none.csv",
        "systems-.svg",
    ],
)
def test_parts_that_are_not_there(researcher, owner, part):
    freeze(make_ranked_study(owner=owner))

    assert researcher.get(f"{BASE}{part}").status_code == 404


def test_every_criterion_has_a_figure(researcher, owner):
    two = "custom@1|rows:all|refs:all|ratings:each|crit:fluency+adequacy|level:item|coef:kendall-c"
    freeze(make_ranked_study(protocol=two, categories=("fluency", "adequacy"), owner=owner))

    page = read(researcher.get(BASE))

    assert ("fluency: best has" in page, "adequacy: best has" in page) == (True, True)
    assert [researcher.get(f"{BASE}systems-forest-{place}.svg").status_code for place in range(3)] == [200, 200, 404]


@pytest.mark.parametrize("kind", [TaskKind.PAIRWISE, TaskKind.BEST_WORST])
def test_the_frozen_ranking_is_read_back_exactly(researcher, owner, kind):
    study = make_ranked_study(kind=kind, owner=owner)
    freeze_report(study, REPORT, now=NOW, facts={"systems": freeze_ranking(study)})

    assert researcher.get(f"{BASE}systems-table.json").content.decode() == print_json(rank_study(study))


def test_a_study_of_one_system_has_no_section_and_no_files(researcher, owner):
    study = make_ranked_study(owner=owner)
    Judgment.objects.exclude(item__candidate__system__name="best").delete()
    frozen = freeze(study)

    assert "systems" not in frozen.facts
    assert "How systems are ranked" not in read(researcher.get(BASE))
    assert researcher.get(f"{BASE}systems-table.csv").status_code == 404
    assert not any(part.startswith("systems") for part in list_parts(frozen))


def test_a_requested_report_and_its_bundle_have_the_ranking(owner, tmp_path):
    study = make_ranked_study(owner=owner)
    score_study(study, now=lambda: NOW, metrics=("length", "rouge-l"))
    request_report(study, ReportChoices(metrics=("length",), resamples=20), actor=COMMAND_LINE, now=NOW)
    work()

    frozen = study.reports.get()
    make_bundle(study, frozen.number, path=tmp_path / "bundle.zip")

    assert [each["system"] for each in frozen.facts["systems"]["rankings"][0]["systems"]]
    with zipfile.ZipFile(tmp_path / "bundle.zip") as bundle:
        content = json.loads(bundle.read("report/systems-table.json"))
    assert content["rankings"] == frozen.facts["systems"]["rankings"]
