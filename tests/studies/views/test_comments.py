"""Tests of comments on pages: escaped, only for members, deleted by their author or the owner."""

import pytest
from django.urls import reverse

from studies.models import AuditEntry, Comment
from tests.studies.page_rights import find_comment, make_link, make_report
from tests.studies.scored import list_items

ATTACK = "<script>alert(1)</script>\nSecond line"


@pytest.fixture
def item(study):
    return list_items(study)[0]


@pytest.fixture
def pages(study, item):
    """The page of an item and that of a report, each with where its comments go."""
    report = make_report(study)
    return {
        reverse("studies:item", args=["study", item.pk]): reverse("studies:item_comment", args=["study", item.pk]),
        reverse("studies:report", args=["study", report]): reverse("studies:report_comment", args=["study", report]),
    }


def test_comment_of_a_viewer_is_shown_to_all_members_as_plain_text(client, people, pages):
    for page, address in pages.items():
        client.force_login(people["viewer"])
        assert client.post(address, {"text": ATTACK}).url == f"{page}#comments"
        client.force_login(people["owner"])
        shown = client.get(page).content.decode()
        assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>Second line" in shown
        assert "<script>alert" not in shown


@pytest.mark.parametrize(("text", "problem"), [("  ", "This field is required."), ("x" * 4001, "at most 4000")])
def test_refused_comment_is_explained_and_kept_in_the_form(client, people, pages, text, problem):
    client.force_login(people["viewer"])
    for address in pages.values():
        refused = client.post(address, {"text": text})
        assert refused.status_code == 422
        assert problem in refused.content.decode()
        assert text.strip() in refused.content.decode()
    assert not Comment.objects.exists()


def test_comments_of_others_are_deleted_by_the_owner_alone(client, study, people):
    address = reverse("studies:comment_delete", args=["study", find_comment(study)])

    for name in ("viewer", "editor"):
        client.force_login(people[name])
        assert client.post(address).status_code == 403
        assert address not in client.get(f"/studies/study/items/{list_items(study)[0].pk}/").content.decode()
    for name in ("stranger", "colleague"):
        client.force_login(people[name])
        assert client.post(address).status_code == 404
    client.logout()
    assert client.post(address).status_code == 302
    assert (Comment.objects.count(), AuditEntry.objects.count()) == (1, 0)
    client.force_login(people["owner"])
    client.post(address)
    assert not Comment.objects.exists()
    assert AuditEntry.objects.get().details["author"] == "analyst"


def test_author_deletes_a_comment_and_returns_to_its_page(client, people, pages):
    client.force_login(people["viewer"])
    for page, address in pages.items():
        client.post(address, {"text": "A mistake."})
        done = client.post(reverse("studies:comment_delete", args=["study", Comment.objects.get().pk]))
        assert done.url == f"{page}#comments"
        assert not Comment.objects.exists()


def test_items_and_comments_of_another_study_are_not_found(client, study, item, people):
    comment = find_comment(study)
    client.force_login(people["stranger"])

    assert client.get(f"/studies/elsewhere/items/{item.pk}/").status_code == 404
    assert client.post(f"/studies/elsewhere/items/{item.pk}/comment/", {"text": "Hello"}).status_code == 404
    assert client.post(f"/studies/elsewhere/comments/{comment}/delete/").status_code == 404
    assert Comment.objects.get().text == "Of the analyst."


def test_reader_of_a_share_link_sees_no_comments(client, study, people, pages):
    client.force_login(people["viewer"])
    for address in pages.values():
        client.post(address, {"text": "Between us."})
    client.logout()

    assert "Between us." not in client.get(reverse("studies:shared", args=[make_link(study)])).content.decode()
