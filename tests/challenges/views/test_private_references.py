"""Tests that no route of the whole site shows a private reference to anybody but the owner of its dataset's study."""

import copy
import re
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from challenges.models import Challenge, Phase
from studies.enums import TaskKind
from studies.models import Reference, Study
from tests.challenges.api.programs import make_program
from tests.challenges.baselines.adding import add
from tests.challenges.challenges import CAPTIONS, make_phase, score_all, submit
from tests.challenges.people import PEOPLE
from tests.factories.studies import NOW, make_study, make_user

pytestmark = pytest.mark.django_db
PRIVATE = {text for texts in CAPTIONS.values() for text in texts}
OTHER_HOST, STAFF = "host of another challenge", "staff"
"""People besides those of the arena: neither has any right in its challenge."""
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
    tokens = [token, *arena.phase.submissions.filter(is_baseline=True).values_list("token", flat=True)]
    chosen = {
        "token": tokens,
        "pk": [1, arena.team.pk],
        "team": [arena.team.pk],
        "phase": ["test", "over"],
        "file_format": FORMATS,
    }
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
    """The arena, with a study of the challenge's dataset, and human captions as a baseline."""
    Study.objects.create(
        dataset=arena.challenge.dataset,
        name="study",
        title="Study",
        kind=TaskKind.RATING,
        owner=arena.people["owner"],
        protocol="flickr8k-expert@1",
        created_at=NOW,
    )
    add(arena.phase, "human", now=arena.scored.created_at)
    score_all(now=arena.scored.created_at)
    Phase.objects.filter(slug="over").update(visibility="after_end")
    other, staff = make_user("other-host"), make_user("staff", is_staff=True)
    study = make_study("others", owner=other)
    elsewhere = Challenge.objects.create(
        slug="elsewhere", title="Elsewhere", dataset=study.dataset, owner=other, state="open", created_at=NOW
    )
    make_phase(elsewhere)
    arena.people.update({OTHER_HOST: other, STAFF: staff})
    return arena


@pytest.mark.parametrize("role", [*PEOPLE, OTHER_HOST, pytest.param(STAFF, marks=pytest.mark.slow)])
def test_no_route_shows_a_private_reference(client, site, role):
    """Hosts own the study, whose pages show the references; of challenges no page does."""
    references = Reference.objects.filter(image__dataset=site.challenge.dataset)
    assert set(references.values_list("text", flat=True)) == PRIVATE
    hosts = role in ("owner", "superuser")
    asked, shown, statuses = 0, set(), set()
    if site.people[role].pk:
        client.force_login(site.people[role])
    cookies = client.cookies
    for pattern, inside in list_patterns():
        # Superusers read the tables themselves; to all others but staff the admin is closed in the same way.
        if (inside[:1] == ("admin",) and role not in ("stranger", STAFF)) or (
            hosts and inside[:1] not in (("challenges",), ("challenges-api",))
        ):
            continue
        for address in make_addresses(pattern, site):
            for method in ("get", "post"):
                with transaction.atomic():
                    client.cookies = copy.deepcopy(cookies)
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


def test_no_route_shows_a_private_reference_to_a_program(site):
    program, statuses, shown = make_program(site.team), set(), set()
    for pattern, inside in list_patterns():
        if inside[:1] == ("admin",):
            continue
        for address in make_addresses(pattern, site):
            with transaction.atomic():
                response = program.get(address)
                content = read(response)
                transaction.set_rollback(True)
            statuses.add(response.status_code)
            if any(text in content for text in PRIVATE):
                shown.add(address)

    assert (shown, 200 in statuses, 404 in statuses) == (set(), True, True)


def test_the_errors_of_a_file_show_no_reference(client, site):
    failed = submit(site.phase, team=site.team, content=b'[{"image_id": 10, "caption": 1}]', now=site.scored.created_at)
    score_all(now=site.scored.created_at)
    client.force_login(site.people["member"])

    page = read(client.get(f"/challenges/captions/submissions/{failed.token}/"))

    assert "must be text" in page
    assert not any(text in page for text in PRIVATE)
