"""Tests that no route of the whole site shows a private reference to anybody but the owner of its dataset's study."""

import re
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from challenges.models import Phase
from studies.enums import TaskKind
from studies.models import Reference, Study
from tests.challenges.challenges import CAPTIONS, score_all, submit
from tests.challenges.people import PEOPLE
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
PRIVATE = {text for texts in CAPTIONS.values() for text in texts}
FORMATS = ("csv", "tex", "json", "jsonl", "md", "zip", "txt", "parquet", "svg")


def list_patterns(patterns=None, *, prefix="", inside=()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the pattern of every address of the site, with the namespaces around it."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        where = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from list_patterns(
                each.url_patterns, prefix=where, inside=(*inside, each.namespace) if each.namespace else inside
            )
        elif isinstance(each, URLPattern):
            yield where, inside


def make_addresses(pattern: str, arena) -> set[str]:
    """Return addresses of a pattern, for the things that exist; some of other kinds do not fit."""
    token = arena.scored.token
    known = {
        "slug": "captions",
        "name": "study",
        "token": token,
        "pk": 1,
        "number": 1,
        "section": "pay",
        "part": "table",
    }
    known |= {"phase": "test", "metric": "rouge-l", "submission": token, "change": "cancel", "username": "owner"}
    chosen = {"pk": [1, arena.team.pk], "team": [arena.team.pk], "phase": ["test", "over"], "file_format": FORMATS}
    addresses = {"/"}
    for text in re.split(r"(<[^>]+>)", re.sub(r"[\^$]|\\Z", "", pattern)):
        name = text.strip("<>").rpartition(":")[2]
        values = chosen.get(name, [known.get(name, "1")]) if text.startswith("<") else [text]
        addresses = {f"{address}{value}" for address in addresses for value in values}
    return addresses


def read(response) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode(errors="replace")


@pytest.fixture
def site(arena):
    """The arena, with a study of the challenge's dataset and a submission that has failed for its errors."""
    Study.objects.create(
        dataset=arena.challenge.dataset,
        name="study",
        title="Study",
        kind=TaskKind.RATING,
        owner=arena.people["owner"],
        protocol="flickr8k-expert@1",
        created_at=NOW,
    )
    Phase.objects.filter(slug="over").update(visibility="after_end")
    return arena


@pytest.mark.parametrize("role", PEOPLE)
def test_no_route_shows_a_private_reference(client, site, role):
    """Hosts own the study, whose pages show the references; of challenges no page does."""
    assert set(Reference.objects.values_list("text", flat=True)) == PRIVATE
    hosts = role in ("owner", "superuser")
    asked, shown, statuses = 0, set(), set()
    for pattern, inside in list_patterns():
        if inside[:1] == ("admin",) or (hosts and inside[:1] not in (("challenges",), ("challenges-api",))):
            continue
        for address in make_addresses(pattern, site):
            for method in ("get", "post"):
                with transaction.atomic():
                    client.logout()
                    if site.people[role].pk:
                        client.force_login(site.people[role])
                    response = getattr(client, method)(address)
                    content = read(response)
                    transaction.set_rollback(True)
                asked += 1
                statuses.add(response.status_code)
                if any(text in content for text in PRIVATE):
                    shown.add(address)

    assert shown == set()
    assert 200 in statuses
    assert asked > 20


def test_the_errors_of_a_file_show_no_reference(client, site):
    failed = submit(site.phase, team=site.team, content=b'[{"image_id": 10, "caption": 1}]', now=site.scored.created_at)
    score_all(now=site.scored.created_at)
    client.force_login(site.people["member"])

    page = read(client.get(f"/challenges/captions/submissions/{failed.token}/"))

    assert "must be text" in page
    assert not any(text in page for text in PRIVATE)
