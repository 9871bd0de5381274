"""A challenge that is open now, with a person of each relation to it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from challenges.models import Challenge, Phase, Submission, Team
from challenges.submissions.uploads import begin_upload
from tests.challenges.challenges import make_challenge, make_phase, make_team, score_all, submit, write_results
from tests.factories.studies import make_user

PEOPLE = ("owner", "cohost", "member", "rival", "stranger", "dismissed", "superuser", "anonymous")
HOSTS = {"owner", "cohost", "superuser"}
TERMS = "Use no data of the test images."


@dataclass(frozen=True)
class Arena:
    """A challenge, its phases, two teams with a scored submission each, and people by name."""

    challenge: Challenge
    phase: Phase
    closed_phase: Phase
    team: Team
    other_team: Team
    scored: Submission
    others_scored: Submission
    people: dict[str, Any]


def make_arena(slug="captions", *, is_scored=True, **extra):
    """Make a challenge in which `member` has a team that may submit now; the board is seen by all.

    In the phase `later`, which is over, results are seen by nobody but their team and the hosts.
    """
    now = timezone.now()
    owner, cohost = make_user("owner"), make_user("cohost")
    challenge = make_challenge(slug, owner=owner, terms=TERMS, description="Caption *images*.", **extra)
    challenge.hosts.add(cohost)
    dates = {"opens_at": now - timedelta(days=2), "closes_at": now + timedelta(days=30)}
    phase = make_phase(challenge, **dates, visibility="all", split="val", time_zone="Europe/Berlin")
    over = {"opens_at": now - timedelta(days=9), "closes_at": now - timedelta(days=8)}
    closed = make_phase(challenge, slug="over", **over, title="Over", metrics=("rouge-l",))
    team, other = make_team(challenge, "Lynx"), make_team(challenge, "Ibex")
    people = {
        "owner": owner,
        "cohost": cohost,
        "member": team.members.get().user,
        "rival": other.members.get().user,
        "stranger": make_user("stranger"),
        "dismissed": make_user("dismissed", is_active=False),
        "superuser": make_user("superuser", is_superuser=True, is_staff=True),
        "anonymous": AnonymousUser(),
    }
    scored = submit(phase, team=team, now=now)
    others = submit(phase, team=other, content=write_results(_10="a brown dog running outside"), now=now)
    if is_scored:
        score_all(now=now)
    for each in (scored, others):
        each.refresh_from_db()
    return Arena(challenge, phase, closed, team, other, scored, others, people)


def make_noon(phase):
    """Move a phase to a time zone in which it is noon, so that its day does not end during a test."""
    hours_behind = timezone.now().hour - 12
    phase.time_zone = f"Etc/GMT{hours_behind:+d}"
    phase.save(update_fields=["time_zone"])


def begin(arena, **extra):
    """Begin an upload of the member's team now."""
    given = {"name": "captions_val_mine_results.json", "n_bytes": len(write_results()), **extra}
    return begin_upload(arena.phase, team=arena.team, user=arena.people["member"], now=timezone.now(), **given)
