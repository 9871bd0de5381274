"""Tests of the list of challenges and of a challenge's page."""

import pytest
from django.utils import timezone

from challenges.enums import ChallengeAction
from challenges.hosting.events import record_event
from challenges.models import Challenge, Phase
from studies.access.audit import Actor
from studies.enums import Interface
from tests.challenges.challenges import make_challenge

pytestmark = pytest.mark.django_db


def test_everybody_sees_what_is_announced_and_hosts_see_their_drafts(client, arena):
    make_challenge("second", owner=arena.people["owner"], state="draft")

    anonymous = client.get("/challenges/").content.decode()
    client.force_login(arena.people["owner"])
    owners = client.get("/challenges/").content.decode()

    assert "Captions" in anonymous
    assert "Second" not in anonymous
    assert "Second" in owners
    assert "Log in" in anonymous


def test_queries_of_the_list_do_not_grow(client, arena, django_assert_num_queries):
    make_challenge("second")
    make_challenge("third")

    with django_assert_num_queries(3):
        client.get("/challenges/")


def test_the_page_says_what_to_upload_until_when_and_under_which_terms(client, arena):
    Phase.objects.filter(slug="over").update(opens_at="2025-03-01T12:00:00Z", closes_at="2025-07-01T12:00:00Z")
    Phase.objects.filter(slug="over").update(time_zone="Europe/Berlin")

    page = client.get("/challenges/captions/").content.decode()

    assert "captions_val_&lt;algorithm&gt;_results.json" in page
    assert "{&quot;image_id&quot;: 10, &quot;caption&quot;:" in page
    # Berlin is an hour ahead in winter, and two in summer.
    assert "2025-03-01 13:00" in page
    assert "2025-07-01 14:00" in page
    assert "Use no data of the test images." in page
    assert "<em>images</em>" in page
    assert "references: c2, c3" in page


def test_decisions_are_shown_to_everybody_with_their_reasons(client, arena):
    actor = Actor(arena.people["owner"], Interface.PAGE)
    details = {"phase": "test", "team": arena.team.pk, "submission": arena.scored.token}
    record_event(
        arena.challenge,
        actor=actor,
        action=ChallengeAction.DISQUALIFIED,
        now=timezone.now(),
        reason="It was made by people.",
        details=details,
    )

    page = client.get("/challenges/captions/").content.decode()

    assert "Submission disqualified" in page
    assert "It was made by people." in page
    # The address of a submission belongs to its team.
    assert arena.scored.token not in page


def test_the_ids_of_images_are_numbers_where_they_can_be(client, arena):
    arena.challenge.dataset.images.filter(key="13").update(key="013")

    response = client.get("/challenges/captions/phases/test/image-ids.json")

    assert response.json() == [10, 11, 12, "013"]
    assert "captions-test-image-ids.json" in response["Content-Disposition"]


def test_a_challenge_without_anything(client):
    make_challenge("empty", owner=None)
    Challenge.objects.update(description="")

    assert b"There are no phases yet" in client.get("/challenges/empty/").content
