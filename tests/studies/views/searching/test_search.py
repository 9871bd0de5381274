"""Tests of the search: what is found, and that nobody finds what they may not open."""

import pytest

from studies.models import FrozenReport, Study
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.people import make_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_study("beach-2026", owner=make_user("owner"), title="Dogs on beaches")
    FrozenReport.objects.create(study=study, number=3, content="{}", digest="0", made_at=NOW)
    return study


@pytest.fixture
def people(study):
    return make_people(study)


def ask(client, person, query, *, study="", page="/search/results/"):
    client.logout()
    if person.pk:
        client.force_login(person)
    return client.get(page, {"q": query, "study": study})


def list_found(answer):
    return {group.title: [each.title for each in group.found] for group in answer.context["groups"]}


def test_studies_reports_metrics_pages_and_documentation_are_found(client, people):
    owner = people["owner"]

    assert list_found(ask(client, owner, "DOGS"))["Studies"] == ["Dogs on beaches"]
    assert list_found(ask(client, owner, "beach rep 3"))["Reports"] == ["Report 3"]
    assert "Reports" not in list_found(ask(client, owner, "dogs report 4"))
    assert "CIDEr-D" in list_found(ask(client, owner, "cider"))["Metrics"]
    assert list_found(ask(client, owner, "benchm"))["Pages"] == ["Benchmark"]
    assert "Statistics" in list_found(ask(client, owner, "stati"))["Documentation"]


def test_without_words_the_pages_of_the_study_are_found(client, people):
    found = list_found(ask(client, people["owner"], " ", study="beach-2026"))

    assert {"Overview", "Raters", "History"} <= set(found["Pages of this study"])
    # Pages that a viewer may not open are not offered.
    assert "Raters" not in list_found(ask(client, people["viewer"], "", study="beach-2026"))["Pages of this study"]


@pytest.mark.parametrize("role", ["colleague", "stranger", "rater", "anonymous", "dismissed"])
@pytest.mark.parametrize("query", ["dogs", "beach-2026", "report 3", ""])
def test_nobody_else_finds_a_study(client, people, role, query):
    for page in ("/search/", "/search/results/"):
        shown = ask(client, people[role], query, study="beach-2026", page=page).content.decode()
        assert "Dogs on beaches" not in shown
        assert "/studies/beach-2026/" not in shown


@pytest.mark.parametrize("role", ["owner", "editor", "analyst", "viewer", "superuser"])
def test_members_find_it(client, people, role):
    assert list_found(ask(client, people[role], "dogs"))["Studies"] == ["Dogs on beaches"]


def test_visitors_find_public_studies_and_reports_as_public_pages(client, study, people):
    Study.objects.filter(pk=study.pk).update(is_public=True, state="closed", started_at=NOW)
    assert ask(client, people["anonymous"], "dogs").content.decode().count('href="/public/beach-2026/"') == 1
    assert "Reports" not in list_found(ask(client, people["anonymous"], "dogs"))
    FrozenReport.objects.update(is_public=True)

    shown = ask(client, people["anonymous"], "dogs").content.decode()
    assert 'href="/public/beach-2026/reports/3/"' in shown
    assert "Metrics" not in list_found(ask(client, people["anonymous"], "cider"))
    assert 'href="/public/beach-2026/"' in ask(client, people["stranger"], "dogs").content.decode()


def test_public_reports_of_others_are_found_with_an_account_too(client, study, people):
    Study.objects.filter(pk=study.pk).update(is_public=True, state="closed", started_at=NOW)
    assert "Reports" not in list_found(ask(client, people["stranger"], "dogs"))
    FrozenReport.objects.update(is_public=True)

    assert 'href="/public/beach-2026/reports/3/"' in ask(client, people["stranger"], "dogs").content.decode()
    shown = ask(client, people["viewer"], "dogs").content.decode()
    assert shown.count("Report 3") == 1
    assert 'href="/studies/beach-2026/reports/3/"' in shown


def test_report_is_found_by_its_own_title(client, people):
    FrozenReport.objects.update(title="Final numbers")
    found = ask(client, people["owner"], "final report")

    assert list_found(found)["Reports"] == ["Report 3"]
    assert "Final numbers" in found.content.decode()
    assert "Reports" not in list_found(ask(client, people["stranger"], "final report"))


def test_text_is_escaped_and_a_long_query_is_cut(client, people):
    shown = ask(client, people["owner"], "<script>" + "x" * 5000, page="/search/")

    assert "<script>x" not in shown.content.decode()
    assert len(shown.context["query"]) == 100
    assert "no-store" in shown["Cache-Control"]


def test_queries_do_not_grow_with_what_is_found(client, people, django_assert_max_num_queries):
    for number in range(12):
        make_study(f"more-{number}", owner=people["owner"], title=f"More dogs {number}")
    client.force_login(people["owner"])

    with django_assert_max_num_queries(8):
        found = client.get("/search/results/", {"q": "dogs"})
    assert len(list_found(found)["Studies"]) == 8
