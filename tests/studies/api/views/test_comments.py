"""Tests of comments by the API: listed, written and deleted under the rules of the pages."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.enums import Interface, MemberRole
from studies.models import AuditEntry, Comment
from tests.factories.studies import make_member, make_study, make_user
from tests.studies.page_rights import make_report
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(study):
    return f"items/{list_items(study)[0].pk}/comments/"


def test_comment_on_an_item_is_listed_and_recorded(api, study, address):
    made = api.send("post", address, {"text": "  Is that a <b>dog</b>?\n"})

    assert made.status_code == 201
    shown = made.json()
    assert (shown["author"], shown["text"]) == ("owner", "Is that a <b>dog</b>?")
    assert api.get(address).json()["results"] == [shown]
    entry = AuditEntry.objects.get(action="commented")
    assert (entry.interface, entry.details["comment"]) == ("api", shown["id"])


def test_comment_on_a_report(api, study):
    number = make_report(study)
    api.send("post", f"reports/{number}/comments/", {"text": "For the paper."})

    assert [each["text"] for each in api.get(f"reports/{number}/comments/").json()["results"]] == ["For the paper."]
    assert Comment.objects.get().report.number == number
    assert api.get("reports/99/comments/").status_code == 404


@pytest.mark.parametrize(
    ("data", "field"), [({"text": " "}, "text"), ({"text": "x" * 4001}, "text"), ({"text": "x", "txt": "x"}, "txt")]
)
def test_refused_text_is_explained(api, address, data, field):
    refused = api.send("post", address, data)

    assert refused.status_code == 400
    assert field in {each["field"] for each in refused.json()["errors"]}
    assert not Comment.objects.exists()


def test_comments_are_for_members_and_deleted_by_their_author_or_the_owner(api, client, study, address):
    people = {name: make_user(name) for name in ("colleague", "second", "stranger")}
    make_member(study, people["colleague"], MemberRole.VIEWER)
    make_member(study, people["second"], MemberRole.EDITOR)
    client.force_login(people["colleague"])
    first, second = (api.send("post", address, {"text": "Mine."}).json()["id"] for _ in range(2))

    client.force_login(people["stranger"])
    strange = [api.get(address), api.send("post", address, {"text": "x"}), api.send("delete", f"comments/{first}/")]
    assert [each.status_code for each in strange] == [404] * 3
    client.logout()
    assert api.get(address).status_code == 401
    client.force_login(people["second"])
    assert api.send("delete", f"comments/{first}/").status_code == 403
    client.force_login(people["colleague"])
    assert api.send("delete", f"comments/{first}/").status_code == 204
    client.force_login(study.owner)
    assert api.send("delete", f"comments/{second}/").status_code == 204
    assert not Comment.objects.exists()


def test_token_of_a_viewer_reads_and_that_of_an_analyst_writes(study, address):
    page = f"/api/v1/studies/study/{address}"
    actor, made_at = Actor(study.owner, Interface.PAGE), timezone.now() - timedelta(days=1)
    answers = {}
    for role in (MemberRole.VIEWER, MemberRole.ANALYST):
        secret = make_token(study, name="script", role=role, actor=actor, now=made_at).secret
        program = Client(headers={"authorization": f"Bearer {secret}"})
        posted = program.post(page, {"text": "By a program."}, content_type="application/json")
        answers[role] = (program.get(page).status_code, posted.status_code)

    assert answers == {MemberRole.VIEWER: (200, 403), MemberRole.ANALYST: (200, 201)}


def test_items_of_another_study_are_not_found(api, client, study, address):
    make_study("other", owner=study.owner)

    assert client.get(f"/api/v1/studies/other/{address}").status_code == 404
