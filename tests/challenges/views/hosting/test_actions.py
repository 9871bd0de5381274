"""Tests of the actions of hosts: what they change, that they need a reason, and that they are shown."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from challenges.models import Challenge, ChallengeEvent, Phase, TeamLimit
from jobs.models import Job
from tests.challenges.challenges import submit

pytestmark = pytest.mark.django_db
ROOT = "/challenges/captions/"


@pytest.fixture
def host(client, arena):
    """A browser in which a host is logged in who does not own the challenge."""
    client.force_login(arena.people["cohost"])
    return client


def read_board(client):
    return client.get(f"{ROOT}phases/test/leaderboard/").content.decode()


def test_the_page_of_hosts_lists_teams_and_submissions(host, arena):
    page = host.get(f"{ROOT}host/").content.decode()

    assert "member-of-Lynx" in page
    assert f"{ROOT}submissions/{arena.others_scored.token}/disqualify/" in page
    assert "The challenge is open" in page


def test_a_challenge_is_closed_for_a_reason_and_opened_again(host, arena):
    assert host.post(f"{ROOT}host/close/", {"reason": " "}).status_code == 422
    host.post(f"{ROOT}host/close/", {"reason": "The server moves."})
    assert Challenge.objects.get().state == "closed"
    assert "The challenge is closed" in host.get(f"{ROOT}host/").content.decode()

    opened = host.post(f"{ROOT}host/open/", follow=True).content.decode()
    # The phase that is over prevents it, which is told.
    assert "phase over: it has already ended" in opened
    Phase.objects.filter(slug="over").update(closes_at=timezone.now() + timedelta(days=1))
    host.post(f"{ROOT}host/open/")
    assert Challenge.objects.get().state == "open"
    events = [(each.action, each.reason, each.actor_name) for each in ChallengeEvent.objects.order_by("pk")]
    assert events == [("closed", "The server moves.", "cohost"), ("opened", "", "cohost")]
    host.logout()
    public = host.get(ROOT).content.decode()
    assert "The server moves." in public
    assert "cohost" not in public


def test_a_deadline_is_extended_in_the_time_zone_of_the_phase(host, arena):
    address = f"{ROOT}phases/test/extend/"
    later = (timezone.now() + timedelta(days=60)).strftime("%Y-%m-%dT12:00")

    assert "Europe/Berlin" in host.get(address).content.decode()
    assert host.post(address, {"closes_at": later}).status_code == 422
    earlier = host.post(address, {"closes_at": "2020-01-01T12:00", "reason": "x"})
    assert "The deadline must be after the present one" in earlier.content.decode()
    host.post(address, {"closes_at": later, "reason": "An outage."})

    expected = datetime.fromisoformat(later).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    assert Phase.objects.get(slug="test").closes_at == expected
    assert "An outage." in host.get(ROOT).content.decode()


def test_the_limit_of_a_team_is_raised(host, arena):
    address = f"{ROOT}host/teams/{arena.team.pk}/limit/"
    given = {"phase": "test", "per_day": "9", "in_all": "200"}

    assert host.post(address, given).status_code == 422
    lower = host.post(address, {**given, "per_day": "1", "reason": "x"})
    assert "The limits may not be below those of the phase" in lower.content.decode()
    host.post(address, {**given, "reason": "Their upload was cut."})

    limit = TeamLimit.objects.get()
    assert (limit.team, limit.phase, limit.per_day, limit.in_all) == (arena.team, arena.phase, 9, 200)
    assert "9 per day, 200 in total" in host.get(f"{ROOT}host/").content.decode()
    host.force_login(arena.people["member"])
    assert "<small>of 9</small>" in host.get(f"{ROOT}phases/test/").content.decode()


def test_teams_of_other_challenges_are_not_there(host, arena):
    assert host.get(f"{ROOT}host/teams/{arena.other_team.pk + 1}/limit/").status_code == 404


def test_a_submission_is_disqualified_and_reinstated(host, arena):
    address = f"{ROOT}submissions/{arena.others_scored.token}/"

    assert host.post(f"{address}disqualify/", {"reason": ""}).status_code == 422
    assert "Ibex" in read_board(host)
    host.post(f"{address}disqualify/", {"reason": "Made by people."})
    assert "Ibex" not in read_board(host)
    assert "Disqualified" in host.get(address).content.decode()
    host.post(f"{address}reinstate/", {"reason": "It was not."})
    assert "Ibex" in read_board(host)
    assert [each.action for each in ChallengeEvent.objects.all()] == ["reinstated", "disqualified"]


def test_a_phase_is_scored_again(host, arena):
    address = f"{ROOT}phases/test/score-again/"
    n_jobs = Job.objects.count()

    assert host.post(address, {}).status_code == 422
    host.post(address, {"reason": "A metric was wrong."})

    assert Job.objects.count() == n_jobs + 2
    assert ChallengeEvent.objects.get().details == {"phase": "test", "submissions": 2}


def test_a_board_is_made_final_after_the_end(host, arena):
    address = f"{ROOT}phases/test/make-final/"

    assert "The phase is not over." in host.post(address).content.decode()
    Phase.objects.filter(slug="test").update(closes_at=timezone.now())
    host.post(address)

    assert Phase.objects.get(slug="test").frozen_digest
    assert "Final since" in read_board(host)
    assert (
        "The leaderboard of the phase is final"
        in host.post(f"{ROOT}phases/test/score-again/", {"reason": "x"}).content.decode()
    )


def test_a_copy_is_a_draft_of_who_made_it(host, arena):
    assert "There is already a challenge" in host.post(f"{ROOT}host/copy/", {"slug": "captions"}).content.decode()
    made = host.post(f"{ROOT}host/copy/", {"slug": "again"})

    assert made.url == "/challenges/again/host/"
    copy = Challenge.objects.get(slug="again")
    assert (copy.owner.username, copy.state, copy.phases.count(), copy.teams.count()) == ("cohost", "draft", 2, 0)


def test_a_submission_on_the_way_is_counted(host, arena):
    submit(arena.phase, team=arena.team, now=timezone.now())

    (phase,) = [each for each, _ in host.get(f"{ROOT}host/").context["phases"] if each.slug == "test"]

    assert (phase.n_scored, phase.n_failed, phase.n_moving) == (2, 0, 1)
