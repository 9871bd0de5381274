"""Tests of the front page, of public studies and reports, and of what visitors are never shown."""

import pytest
from django.test import Client

from studies.design.study_design import Panel
from studies.enums import PanelKind, StudyState
from studies.models import FrozenReport, Rater, Study
from studies.publishing.freezing import freeze_report
from tests.correlation.reports.example import REPORT
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

# Studies with their newest design, reports, numbers of tasks, four of `summarize_studies`, and public studies and
# reports of the matrix.
N_QUERIES = 8


@pytest.fixture
def finished(owner):
    study = make_rated_study("finished")
    Study.objects.filter(pk=study.pk).update(
        owner=owner, is_public=True, state=StudyState.CLOSED, started_at=NOW, title="A finished study"
    )
    freeze_report(study, REPORT, now=NOW)
    FrozenReport.objects.update(is_public=True)
    study.refresh_from_db()
    return study


def open_to_all(name: str, **design) -> Study:
    study = make_open_study(name, **design)
    Study.objects.filter(pk=study.pk).update(is_public=True)
    return study


def read(address: str, client: Client | None = None) -> str:
    response = (client or Client()).get(address)
    assert response.status_code == 200, address
    return response.content.decode()


@pytest.mark.django_db
def test_visitors_see_the_matrix_and_three_ways_in():
    page = read("/")

    assert "Which caption metrics agree with people?" in page
    assert [name in page for name in ("flickr8k-expert", "cider-d")] == [True] * 2
    assert [f'<h2 id="{name}"' in page for name in ("rate", "look", "start")] == [True] * 3
    assert "No study is open to everybody" in page


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/studies/", "/public/", "/docs/", "/docs/quick-start/", "/challenges/"])
def test_pages_for_visitors_answer(address):
    read(address)


@pytest.mark.django_db
def test_the_api_leads_to_its_routes():
    response = Client().get("/api/", follow=True)

    assert (response.status_code, response.redirect_chain) == (200, [("/api/v1/", 302)])


def test_a_researcher_is_led_to_their_studies(researcher):
    page = read("/", researcher)

    assert 'href="/studies/new/"' in page
    assert "Log in" not in page


def test_doors_lead_to_the_open_and_to_the_finished_study(finished):
    opened = open_to_all("opened", task_seconds=40)

    page = read("/")

    assert f'href="/r/{opened.join_token}/"' in page
    assert 'href="/public/finished/"' in page
    assert f"/r/{finished.join_token}/" not in page
    assert '<a href="/public/finished/">finished</a><small>' in page


@pytest.mark.django_db
def test_only_studies_that_everybody_may_join_have_a_link_for_raters():
    panel = open_to_all(
        "panel", panel=Panel(kind=PanelKind.PROLIFIC, codes={"finished": "C1"}), eligibility="Adults in <Ireland>"
    )
    private = make_open_study("private")

    pages = [read(address) for address in ("/", "/public/", "/public/panel/")]

    assert all(study.join_token not in page for page in pages for study in (panel, private))
    assert "<b>Who can take part:</b> Adults in &lt;Ireland&gt;</p>" in pages[2]
    assert Client().get("/public/private/").status_code == 404


@pytest.mark.parametrize("address", ["/public/finished/", "/public/finished/reports/1/"])
def test_a_public_report_is_read_without_an_account(finished, address):
    page = read(address)

    assert "A finished study" in page
    assert "0.512" in page
    assert read("/public/finished/reports/1/table.csv").startswith("kind,")


def test_pages_for_visitors_name_no_rater_and_no_member(finished):
    Rater.objects.filter(pk=Rater.objects.filter(study=finished).first().pk).update(pseudonym="rater-7301")

    pages = [read(address) for address in ("/", "/public/", "/public/finished/", "/public/finished/reports/1/")]

    assert [page for page in pages if "rater-7301" in page or ">owner<" in page or finished.seed in page] == []


@pytest.mark.parametrize("hidden", ["study", "report", "draft"])
def test_nothing_of_a_private_report_is_there(finished, hidden):
    match hidden:
        case "study":
            Study.objects.update(is_public=False)
        case "report":
            FrozenReport.objects.update(is_public=False)
        case "draft":
            Study.objects.update(state=StudyState.DRAFT)

    assert Client().get("/public/finished/reports/1/").status_code == 404
    assert Client().get("/public/finished/reports/1/table.csv").status_code == 404
    assert Client().get("/public/finished/").status_code == (200 if hidden == "report" else 404)
    assert "0.512" not in read("/") + read("/public/")


def test_an_archived_study_is_on_no_list_and_keeps_its_page(finished):
    Study.objects.update(archived_at=NOW)

    assert ["/public/finished/" in read(address) for address in ("/", "/public/", "/studies/")] == [False] * 3
    assert "0.512" in read("/public/finished/")


def test_the_owner_makes_a_study_and_a_report_public_and_private(researcher, finished):
    for choice, expected in (("no", False), ("yes", True)):
        researcher.post("/studies/finished/people/public/", {"public": choice})
        researcher.post("/studies/finished/reports/1/public/", {"public": choice})

        finished.refresh_from_db()
        assert (finished.is_public, finished.reports.get().is_public) == (expected, expected)
        assert ("is <b>public</b>" in read("/studies/finished/people/", researcher)) is expected
        assert ("is <b>public</b>" in read("/studies/finished/reports/1/", researcher)) is expected


def test_a_choice_that_is_neither_is_refused(researcher, finished):
    assert researcher.post("/studies/finished/people/public/", {"public": "maybe"}).status_code == 400
    assert researcher.post("/studies/finished/reports/1/public/").status_code == 400


@pytest.mark.parametrize("n_studies", [1, 3])
def test_the_front_page_takes_a_fixed_number_of_queries(db, n_studies, django_assert_num_queries):
    for number in range(n_studies):
        study = open_to_all(f"study-{number}")
        make_judgment(list_items(study)[0], make_rater(study))

    with django_assert_num_queries(N_QUERIES):
        read("/")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/docs/../settings/", "/docs/nothing/", "/docs/images/nothing.png", "/docs/tables/flickr8k-cf.tex"]
)
def test_documentation_has_no_other_files(address):
    assert Client().get(address).status_code == 404
