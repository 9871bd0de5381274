"""Tests that reading judgments page by page is recorded once in the history, like the download of a file."""

from datetime import timedelta

import pytest

from studies.access.audit import Actor
from studies.enums import Interface
from studies.models import AuditEntry, Judgment
from studies.publishing.exports import record_reading
from tests.factories.studies import NOW, make_member, make_user

pytestmark = pytest.mark.django_db


def _list_lines():
    entries = AuditEntry.objects.filter(action="exported").order_by("pk")
    return list(entries.values_list("actor_name", "interface", "details"))


def test_a_walk_leaves_one_line(api, study):
    page = api.get("judgments/", page_size=1).json()
    n_pages = 1
    while page["next"]:
        page, n_pages = api.client.get(page["next"]).json(), n_pages + 1

    assert n_pages == 3
    assert _list_lines() == [("owner", "api", {"file": "judgments/"})]


def test_a_walk_that_begins_in_the_middle_leaves_a_line_too(api, study):
    kept = api.get("judgments/", page_size=1).json()["next"]
    AuditEntry.objects.all().delete()

    api.client.get(kept)

    assert _list_lines() == [("owner", "api", {"file": "judgments/"})]


def test_refused_reading_is_not_recorded(api, study, client):
    assert api.get("judgments/", cursor="nowhere").status_code == 404
    client.force_login(make_user("stranger"))
    assert api.get("judgments/").status_code == 404

    assert _list_lines() == []


def test_each_reader_and_each_hour_has_a_line_beside_those_of_files(study):
    member = make_user("member")
    make_member(study, member)
    owner, other = Actor(study.owner, Interface.API), Actor(member, Interface.API)
    times = [NOW, NOW + timedelta(minutes=59), NOW + timedelta(minutes=60), NOW + timedelta(minutes=61)]
    for at in times:
        record_reading(study, actor=owner, now=at)
    record_reading(study, actor=other, now=NOW + timedelta(minutes=61))

    assert list(AuditEntry.objects.order_by("pk").values_list("actor_name", "at")) == [
        ("owner", NOW),
        ("owner", NOW + timedelta(minutes=60)),
        ("member", NOW + timedelta(minutes=61)),
    ]


def test_downloads_and_api_reads_are_recorded_separately(api, study):
    b"".join(api.get("judgments.csv").streaming_content)
    api.get("judgments/")

    assert [details for _, _, details in _list_lines()] == [{"file": "judgments.csv"}, {"file": "judgments/"}]


def test_a_judgment_says_whether_it_is_surplus(api, study):
    surplus = Judgment.objects.filter(item__task__study=study).order_by("pk").first()
    Judgment.objects.filter(pk=surplus.pk).update(surplus_since=NOW)

    found = api.get("judgments/").json()["results"]

    assert {row["id"] for row in found if row["surplus_since"]} == {surplus.pk}
    assert len(found) == 3
