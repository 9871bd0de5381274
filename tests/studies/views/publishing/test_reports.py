"""Tests of pages of reports: requested, frozen, shown, downloaded, shared and revoked."""

import json
import re
import zipfile
from dataclasses import replace
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from correlation.defaults import explain_few
from jobs.enums import JobState
from jobs.models import Job
from studies.access.audit import COMMAND_LINE
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.enums import AuditAction
from studies.models import AuditEntry, FrozenReport, ReportLink, Study
from studies.monitoring.exclusion import exclude_rater
from studies.publishing.bundles.rebuilding import rebuild_bundle
from studies.publishing.freezing import freeze_report
from studies.publishing.report_jobs import ReportChoices, keep_report, request_report
from tests.correlation.reports.example import REPORT
from tests.factories.studies import NOW, make_member, make_user
from tests.shared_rows import share_in_module
from tests.studies.publishing.test_report_jobs import work
from tests.studies.rated import make_rated_study

CHOICES = ReportChoices(method="percentile", clusters=("images",), test="perm-both", resamples=20, seed=3)
FORM = {"method": "percentile", "clusters": ["images"], "test": "perm-both", "correction": "holm", "resamples": 20}


def _make_study():
    study = make_rated_study()
    study.owner = make_user("owner")
    study.save(update_fields=["owner"])
    return study


study_of_module = share_in_module(_make_study)


@pytest.fixture
def study(db, study_of_module, tmp_path):
    return study_of_module.take(tmp_path)


@pytest.fixture
def owner(study):
    return study.owner


def fail(study, problem):
    asked = request_report(study, CHOICES, actor=COMMAND_LINE, now=NOW)
    Job.objects.filter(pk=asked.pk).update(state=JobState.FAILED, problem=problem, finished_at=NOW)


def freeze(study):
    gathered = gather_observations(study)
    chosen = CHOICES.choose_inference(study, gathered.protocol, n_metrics=2)
    report = report_observations(
        gathered,
        interval=chosen.interval,
        comparison=chosen.comparison,
        seed=CHOICES.seed,
    )
    return keep_report(gathered, report, now=NOW)


def test_a_report_is_asked_for_made_and_shown(researcher, study):
    response = researcher.post("/studies/rated/reports/freeze/", {**FORM, "seed": 3})

    assert response.status_code == 302
    page = researcher.get("/studies/rated/reports/").content.decode()
    assert "Waiting" in page
    assert "report requested by" in page
    polled = re.search(r'hx-get="([^"]+)"', page)[1].replace("&amp;", "&")
    assert "HX-Refresh" not in researcher.get(polled).headers
    work()
    assert researcher.get(polled).headers["HX-Refresh"] == "true"
    page = researcher.get("/studies/rated/reports/").content.decode()
    assert "Waiting" not in page
    assert 'href="/studies/rated/reports/1/">Report 1</a>' in page
    assert FrozenReport.objects.get().made_by == study.owner


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "jackknife", "clusters": ["images", "raters"]}, "needs"),
        ({"clusters": ["images", "raters", "systems", "rows"]}, ""),
        ({"resamples": 5}, "greater than or equal to 10"),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"test": "guess"}, "not one of the available choices"),
        ({"protocol": "pascal-50s@1"}, "not one of the available choices"),
        ({"metrics": ["no-such"]}, "not one of the available choices"),
    ],
)
def test_choices_that_do_not_fit_are_refused(researcher, study, given, message):
    response = researcher.post("/studies/rated/reports/freeze/", {**FORM, "seed": 3, **given})

    assert response.status_code == 422
    assert message in response.content.decode().replace("&#x27;", "'")
    assert Job.objects.count() == 0


def test_a_failed_request_says_why(researcher, study):
    fail(study, "raters cannot be resampled")

    page = researcher.get("/studies/rated/reports/").content.decode()
    assert "Raters cannot be resampled." in page
    assert "It could not be created." in page


def test_an_account_with_too_many_jobs_is_told_so(researcher, study, settings):
    settings.ACCORDANCE_ACCOUNT_JOBS = 1
    pages = [researcher.post("/studies/rated/reports/freeze/", {**FORM, "seed": 3}, follow=True) for _ in range(2)]

    assert "wait until one ends" in pages[1].content.decode()
    assert Job.objects.count() == 1


def test_page_of_a_report_shows_what_was_frozen(researcher, study):
    frozen = freeze(study)

    page = researcher.get("/studies/rated/reports/1/").content.decode()

    for text in ("people, mean-pairwise", "Kendall τ-c", frozen.digest, "share a letter", "Raters rated captions"):
        assert text in page
    assert re.search(
        r'alt="Forest plot, Kendall τ-c at level item, best first: length 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\], a',
        page,
    )
    assert re.search(
        r'alt="Heatmap of differences, Kendall τ-c at level item: length above rouge-l by 0\.\d{3}, p', page
    )
    assert "stale" not in page


def test_a_stale_report_says_so_and_has_no_bundle(researcher, study):
    freeze(study)
    exclude_rater(study.raters.first(), reason="too fast", now=NOW)

    assert (
        "This report has been stale since 2025-03-01: a rater was excluded."
        in researcher.get("/studies/rated/reports/1/").content.decode()
    )
    response = researcher.get("/studies/rated/reports/1/bundle.zip", follow=True)
    assert response.redirect_chain == [("/studies/rated/reports/1/", 302)]
    assert "the judgments or scores have changed since report 1" in response.content.decode()


STARTS = {
    "table.tex": b"% Needs \\usepackage{booktabs}.",
    "table.md": b"**Rated**",
    "table.csv": b"kind,metric,level,",
    "table.json": b'{\n "format": "accordance-report@1"',
    "differences.csv": b"level,coefficient,category,first,",
    "methods.txt": b"Raters rated captions",
    "methods.tex": b"Raters rated captions",
    "heds.json": b'{\n "heds-',
    "forest.pdf": b"%PDF-",
    "forest.svg": b"<svg ",
    "forest.png": b"\x89PNG",
    "forest-narrow.svg": b"<svg ",
    "heatmap.svg": b"<svg ",
}


@pytest.mark.parametrize("name", STARTS)
def test_part_of_a_report_as_a_file(researcher, study, name):
    freeze(study)

    response = researcher.get(f"/studies/rated/reports/1/{name}?download=1")

    assert response.content.startswith(STARTS[name])
    assert response.headers["Content-Disposition"] == f'attachment; filename="rated-report-1-{name}"'


def test_a_report_on_few_images_has_a_caution_above_its_table(researcher, study):
    few = explain_few(3, "images")
    freeze_report(study, replace(REPORT, rows=tuple(replace(row, caution=few) for row in REPORT.rows)), now=NOW)

    page = researcher.get("/studies/rated/reports/1/").content.decode()

    assert page.index(f'<p class="notice warning">Caution: {few}.</p>') < page.index('aria-label="Table of results"')


def test_narrow_screens_are_drawn_a_narrow_forest(researcher, study):
    freeze(study)

    page = researcher.get("/studies/rated/reports/1/").content.decode()

    assert '<source media="(max-width: 40rem)" srcset="/studies/rated/reports/1/forest-narrow.svg">' in page
    widths = [
        float(
            re.search(r'width="([\d.]+)"', researcher.get(f"/studies/rated/reports/1/{name}.svg").content.decode())[1]
        )
        for name in ("forest", "forest-narrow")
    ]
    assert widths[1] <= 360 < widths[0]


@pytest.mark.parametrize("name", ["table.docx", "nothing.csv", "heatmap.svg", "table.svg"])
def test_what_a_report_has_not_is_not_found(researcher, study, name):
    gathered = gather_observations(study)
    keep_report(gathered, report_observations(gathered), now=NOW)

    assert researcher.get(f"/studies/rated/reports/1/{name}").status_code == 404
    assert researcher.get("/studies/rated/reports/2/table.md").status_code == 404
    assert researcher.get("/studies/rated/reports/2/").status_code == 404


def test_bundle_of_a_report_rebuilds(researcher, study, tmp_path):
    frozen = freeze(study)

    response = researcher.get("/studies/rated/reports/1/bundle.zip")

    content = response.getvalue()
    assert response.headers["Content-Disposition"] == 'attachment; filename="rated-report-1.zip"'
    assert "manifest.json" in zipfile.ZipFile(BytesIO(content)).namelist()
    (tmp_path / "bundle.zip").write_bytes(content)
    rebuilt = rebuild_bundle(tmp_path / "bundle.zip", now=NOW)
    assert rebuilt.tables["report/report.json"].decode() == frozen.content
    assert AuditEntry.objects.get(action=AuditAction.EXPORTED).details["file"] == "bundle of report 1"


def test_a_link_shows_one_report_to_anybody_until_it_is_revoked(researcher, study):
    freeze(study)
    freeze(study)
    made = researcher.post("/studies/rated/reports/1/share/")
    address = re.search(r'value="http://testserver(/shared/[^"]+/)"', made.content.decode())[1]
    stranger = Client()

    response = stranger.get(address)

    assert (made.status_code, response.status_code) == (201, 200)
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in response.headers["Cache-Control"]
    page = response.content.decode()
    assert "people, mean-pairwise" in page
    # Besides the links that every page has, it leads to its own files and explained terms, and nowhere else.
    links = set(re.findall(r'(?:href|src)="(/[^"]*)"', page))
    assert {link for link in links if not link.startswith((address, "/static/", "/docs/"))} == {
        *("/", "/challenges/", "/public/", "/search/"),
    }
    for name in STARTS:
        assert stranger.get(address + name).status_code == 200
    assert stranger.get(address + "forest.svg").headers["Referrer-Policy"] == "no-referrer"
    assert stranger.get(address + "bundle.zip").status_code == 404
    assert stranger.get("/studies/rated/reports/1/").status_code == 302

    link = ReportLink.objects.get()
    assert link.n_views == 1
    assert f"…{link.hint}" in researcher.get("/studies/rated/reports/1/").content.decode()
    assert researcher.post(f"/studies/rated/reports/1/links/{link.pk}/revoke/").status_code == 302
    assert [stranger.get(address + name).status_code for name in ("", "table.md", "forest.svg")] == [404] * 3


@pytest.mark.parametrize(
    "change",
    [{"expires_at": NOW}, {"revoked_at": NOW}, {"made_by": "leaver"}],
    ids=["expired", "revoked", "of somebody who left"],
)
def test_a_link_that_ended_is_refused_as_an_unknown_one(researcher, study, change):
    freeze(study)
    made = researcher.post("/studies/rated/reports/1/share/")
    address = re.search(r'value="http://testserver(/shared/[^"]+/)"', made.content.decode())[1]
    stranger = Client()
    if "made_by" in change:
        change = {"made_by": make_user(change["made_by"])}
    ReportLink.objects.update(**change)

    for name in ("", "table.md"):
        ended, unknown = stranger.get(address + name), stranger.get(f"/shared/nothing/{name}")
        assert (ended.status_code, ended.content) == (unknown.status_code, unknown.content) == (404, ended.content)
        assert dict(ended.items()) == dict(unknown.items())
    assert ReportLink.objects.get().n_views == 0


def test_for_how_long_a_link_is_good_is_chosen_and_shown(researcher, study, settings):
    settings.ACCORDANCE_LINK_DAYS_MOST = 30
    freeze(study)

    refused = researcher.post("/studies/rated/reports/1/share/", {"days": "31"})
    made = researcher.post("/studies/rated/reports/1/share/", {"days": "7"})

    assert (refused.status_code, made.status_code) == (422, 201)
    assert "less than or equal to 30" in refused.content.decode()
    link = ReportLink.objects.get()
    assert (link.expires_at - link.made_at).days == 7
    told = f"{link.expires_at:%Y-%m-%d %H:%M}"
    assert f"until {told}" in made.content.decode()
    assert f"valid until {told}" in researcher.get("/studies/rated/reports/1/").content.decode()
    ReportLink.objects.update(expires_at=NOW)
    assert "expired on 2025-03-01 12:00" in researcher.get("/studies/rated/reports/1/").content.decode()


def test_a_link_of_another_report_is_not_revoked_here(researcher, study):
    freeze(study)
    freeze(study)
    researcher.post("/studies/rated/reports/1/share/")

    assert researcher.post(f"/studies/rated/reports/2/links/{ReportLink.objects.get().pk}/revoke/").status_code == 404
    assert ReportLink.objects.get().revoked_at is None


@pytest.mark.parametrize("address", ["/shared/nothing/", "/shared/nothing/table.md"])
@pytest.mark.django_db
def test_a_guess_finds_nothing(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/studies/rated/reports/", "/studies/rated/reports/1/"])
def test_pages_take_the_same_number_of_queries_for_one_and_three(researcher, study, address):
    def count():
        with CaptureQueriesContext(connection) as queries:
            assert researcher.get(address).status_code == 200
        return len(queries)

    def grow():
        freeze(study)
        researcher.post("/studies/rated/reports/1/share/")
        fail(study, "no scores")

    grow()
    first = count()
    grow()
    grow()

    assert count() == first


def test_datasheet_is_json(researcher, study):
    freeze(study)

    assert json.loads(researcher.get("/studies/rated/reports/1/heds.json").content)["to_fill"]


def share(researcher, study):
    """Freeze a report of judgments by recruited raters, and return its secret address."""
    frozen = freeze(study)
    frozen.facts["design"]["has_consent"] = True
    frozen.save()
    made = researcher.post("/studies/rated/reports/1/share/")
    return re.search(r'value="http://testserver(/shared/[^"]+/)"', made.content.decode())[1]


def test_what_is_missing_is_listed_to_the_owner_and_left_out_for_readers(researcher, study):
    address = share(researcher, study)
    Study.objects.update(is_public=True, state="closed", started_at=NOW)
    FrozenReport.objects.update(is_public=True)

    own = researcher.get("/studies/rated/reports/1/").content.decode()
    files = ("", "methods.txt", "methods.tex", "heds.json")
    seen = [Client().get(base + name) for base in (address, "/public/rated/reports/1/") for name in files]

    for what, field in (
        ("payment of raters, or why they were not paid", "pay-reward"),
        ("who could take part: languages, countries, experience", "panel-eligibility"),
    ):
        link = f'<a href="/studies/rated/design/raters/#{field}">Raters and pay</a>, for the next report</li>'
        assert f"<li>{what}: {link}" in own
    assert [each.status_code for each in seen] == [200] * 8
    assert not any("TO FILL" in each.content.decode() or "to_fill" in each.content.decode() for each in seen)
    assert "gave their consent." in seen[1].content.decode()
    assert "[TO FILL: " in researcher.get("/studies/rated/reports/1/methods.txt").content.decode()


def test_the_owner_gives_a_report_a_title(researcher, study):
    address = share(researcher, study)
    Study.objects.update(title="Which metric to trust")
    page = Client().get(address).content.decode()
    caption = Client().get(f"{address}table.tex").content.decode()

    answer = researcher.post("/studies/rated/reports/1/title/", {"title": "Trust in <metrics>"})

    assert ("<h1>Which metric to trust</h1>" in page, "caption{Which metric to trust:" in caption) == (True, True)
    assert answer.status_code == 302
    assert "<h1>Trust in &lt;metrics&gt;</h1>" in Client().get(address).content.decode()
    assert AuditEntry.objects.latest("pk").details == {"report": 1, "title": "Trust in <metrics>"}
    assert researcher.post("/studies/rated/reports/1/title/", {"title": "x" * 201}).status_code == 422
    researcher.post("/studies/rated/reports/1/title/", {"title": "Which metric to trust"})
    assert FrozenReport.objects.get().title == ""


@pytest.mark.parametrize(
    ("role", "button"),
    [
        ("analyst", '<a class="button quiet" href="#share">Share</a>'),
        ("viewer", None),
    ],
)
def test_sharing_is_in_reach_of_the_top_for_those_who_may(client, study, role, button):
    freeze(study)
    person = make_user("somebody")
    make_member(study, person, role=role)
    client.force_login(person)

    page = client.get("/studies/rated/reports/1/").content.decode()

    if button is None:
        assert ">Share</a>" not in page
    else:
        assert page.index(button) < page.index('id="table"') < page.index('id="share"')


@pytest.mark.parametrize("role", [None, "analyst"])
def test_nobody_else_changes_the_title(client, study, role):
    freeze(study)
    person = make_user("somebody")
    if role:
        make_member(study, person, role=role)
    client.force_login(person)

    answer = client.post("/studies/rated/reports/1/title/", {"title": "Mine"})

    assert answer.status_code in (403, 404)
    assert FrozenReport.objects.get().title == ""


def test_a_figure_is_made_once_and_again_for_another_title(researcher, study):
    content = freeze(study).content
    address = "/studies/rated/reports/1/forest.svg"
    first = researcher.get(address)
    # What is kept is taken, whatever the content.
    FrozenReport.objects.update(content="")

    again = researcher.get(address)
    unchanged = researcher.get(address, headers={"If-None-Match": first["ETag"]})

    assert again.content == first.content
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    FrozenReport.objects.update(content=content, title="Another title")
    titled = researcher.get(address, headers={"If-None-Match": first["ETag"]})
    assert (titled.status_code, b"Another title" in titled.content) == (200, True)
