"""Random sequences of what teams, hosts, workers and the clock do: boards, limits and ends agree with a plain count."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from challenges.board.ranking import compute_board
from challenges.enums import ENDED
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import disqualify, extend_deadline, raise_limit, reinstate, rescore
from challenges.models import Phase, Submission, Team, TeamMember
from challenges.submissions.cancelling import cancel_submission
from challenges.submissions.uploads import append_part, begin_upload, finish_upload
from challenges.taking_part.limits import count_usage
from jobs.enums import UNDER_WAY
from jobs.models import Job
from jobs.worker.claiming import claim_job, lose_job
from jobs.worker.running import run_job
from studies.access.audit import Actor
from studies.enums import Interface
from tests.challenges.challenges import make_challenge, make_phase, make_team, write_results
from tests.challenges.oracle import COLUMNS, COUNTS, OVER, Plain, is_today, rank_plainly
from tests.factories.studies import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

N_STEPS = 80
BERLIN = "Europe/Berlin"
# Two days before the clocks go forward, and two days before they go back; Havana's do so at midnight.
SPRING, AUTUMN = datetime(2025, 3, 28, 12, tzinfo=ZoneInfo(BERLIN)), datetime(2025, 10, 24, 12, tzinfo=ZoneInfo(BERLIN))
HAVANA = datetime(2025, 11, 1, 20, tzinfo=ZoneInfo("America/Havana"))
WORDS = ("a dog runs on the green grass", "a cat", "people on bikes", "")
PER_DAY, IN_ALL, FREE = 3, 12, 2
REASON = "It has to be."


@pytest.fixture(autouse=True)
def _limit_free_submissions(settings):
    settings.ACCORDANCE_FREE_SUBMISSIONS = FREE


@pytest.mark.parametrize("rule", ["best", "latest"])
@pytest.mark.parametrize("start", [SPRING, AUTUMN, HAVANA], ids=["spring", "autumn", "midnight"])
def test_random_operations_agree_with_a_plain_count(start, rule):
    walk = make_walk(Random(0), start=start, rule=rule)
    for _ in range(N_STEPS):
        name = walk.step()
        walk.check(name)
    walk.run_all()
    walk.check("at the end")
    assert {each.state for each in walk.submissions} <= OVER | {"receiving"}
    assert walk.n_done["submit"]
    assert walk.n_done["refused"]


def make_walk(rng: Random, *, start: datetime, rule: str) -> "Walk":
    challenge = make_challenge(owner=make_user("host"))
    dates = {"opens_at": start - timedelta(days=1), "closes_at": start + timedelta(days=5)}
    zone = start.tzinfo.key
    phase = make_phase(
        challenge, **dates, time_zone=zone, per_day=PER_DAY, in_all=IN_ALL, entry_rule=rule, visibility="all"
    )
    teams = {name: make_team(challenge, name) for name in ("ibex", "lynx", "wolf")}
    limits = dict.fromkeys(teams, (PER_DAY, IN_ALL))
    return Walk(rng, start, phase, teams, limits, rule, closes_at=phase.closes_at)


@dataclass
class Walk:
    """A phase with teams that are somewhere in a random sequence, beside a plain record of what was done."""

    rng: Random
    now: datetime
    phase: Phase
    teams: dict[str, Team]
    limits: dict[str, tuple[int, int]]
    rule: str
    closes_at: datetime
    submissions: list[Plain] = field(default_factory=list)
    ends: dict[int, tuple] = field(default_factory=dict)
    n_done: dict[str, int] = field(default_factory=lambda: {"submit": 0, "refused": 0})

    def step(self) -> str:
        """Do something at random and return its name."""
        do = self.rng.choice(
            [self.submit] * 6
            + [self.begin, self.finish, self.finish, self.cancel, self.run_next, self.run_next, self.run_all]
            + [self.erase_member, self.lose_next, self.rescore, self.disqualify, self.reinstate]
            + [self.raise_limit, self.extend_deadline]
            + [self.wait] * 3
            + [self.wait_until_midnight] * 2
        )
        do()
        return do.__name__

    # What teams do.

    def submit(self) -> None:
        upload = self.begin()
        if upload is not None:
            self.complete(upload)

    def begin(self) -> Plain | None:
        team = self.rng.choice(list(self.teams))
        unfinished = [each for each in self.submissions if each.state == "receiving"]
        # Those of all teams are cancelled.
        stale = [each for each in unfinished if each.at <= self.now - timedelta(days=1)]
        n_own = sum(each.team == team and each not in stale for each in unfinished)
        content = self.write()
        made = self.expect(
            self.may_submit(team) and n_own < 3,
            lambda: begin_upload(
                self.phase,
                team=self.teams[team],
                user=self.teams[team].members.first().user,
                name="x.json",
                n_bytes=len(content),
                now=self.now,
            ),
        )
        if made is None:
            return None
        for each in stale:
            each.state = "cancelled"
        upload = Plain(made.token, made.pk, team, self.now, content, "receiving")
        self.submissions.append(upload)
        append_part(made, offset=0, content=content[:30])
        return upload

    def finish(self) -> None:
        if upload := self.choose("receiving"):
            self.complete(upload)

    def complete(self, upload: Plain) -> None:
        row = self.find(upload)
        if row.file.size == 30 and self.rng.random() < 0.9:
            append_part(row, offset=30, content=upload.content[30:])
        is_whole = row.file.size == len(upload.content)
        if self.expect(is_whole and self.may_submit(upload.team), lambda: finish_upload(row, now=self.now)):
            upload.state, upload.at = "received", self.now
            self.n_done["submit"] += 1

    def cancel(self) -> None:
        if (chosen := self.choose()) and self.expect(
            chosen.state not in OVER,
            lambda: cancel_submission(self.find(chosen), reason=REASON, now=self.now) or True,
        ):
            chosen.state = "cancelled"

    def erase_member(self) -> None:
        """A team gets another member, and the first one deletes their account: nothing of the team goes with it."""
        team = self.rng.choice(list(self.teams.values()))
        newcomer = make_user(f"newcomer-{TeamMember.objects.order_by('-pk').first().pk}")
        TeamMember.objects.create(team=team, challenge=team.challenge, user=newcomer, joined_at=self.now)
        team.members.first().user.delete()

    # What workers do.

    def run_next(self) -> None:
        job = claim_job("challenges", now=self.now)
        if job is None:
            return
        run_job(job, now=lambda: self.now)
        chosen = next(each for each in self.submissions if each.pk == job.payload["submission"])
        if chosen.state == "received":
            chosen.state = "failed" if b"nobody" in chosen.content else "scored"

    def run_all(self) -> None:
        while Job.objects.filter(state__in=UNDER_WAY).exists():
            self.run_next()

    def lose_next(self) -> None:
        """A worker dies with a job; at the third time the job is given up."""
        job = claim_job("challenges", now=self.now)
        if job is None:
            return
        lose_job(job, reason="the worker running it exited", now=self.now)
        job.refresh_from_db()
        chosen = next(each for each in self.submissions if each.pk == job.payload["submission"])
        if job.state == "lost" and chosen.state == "received":
            chosen.state = "failed"

    # What hosts do.

    def rescore(self) -> None:
        waiting = {job.payload["submission"] for job in Job.objects.filter(state__in=UNDER_WAY)}
        expected = sum(each.state == "scored" and each.pk not in waiting for each in self.submissions)
        assert rescore(self.phase, **self.tell()) == expected

    def disqualify(self) -> None:
        if chosen := self.choose():
            disqualify(self.find(chosen), **self.tell())
            chosen.is_disqualified = True

    def reinstate(self) -> None:
        for chosen in [each for each in self.submissions if each.is_disqualified][:2]:
            reinstate(self.find(chosen), **self.tell())
            chosen.is_disqualified = False

    def raise_limit(self) -> None:
        team = self.rng.choice(list(self.teams))
        per_day, in_all = self.rng.randint(PER_DAY - 1, PER_DAY + 3), self.rng.randint(IN_ALL - 1, IN_ALL + 5)
        is_higher = per_day >= PER_DAY and in_all >= IN_ALL
        given = {"team": self.teams[team], "per_day": per_day, "in_all": in_all}
        if self.expect(is_higher, lambda: raise_limit(self.phase, **given, **self.tell())):
            self.limits[team] = (per_day, in_all)

    def extend_deadline(self) -> None:
        later = self.closes_at + timedelta(hours=self.rng.randint(-1, 12))
        if self.expect(
            later > self.closes_at,
            lambda: extend_deadline(self.phase, closes_at=later, **self.tell()) or True,
        ):
            self.closes_at = later

    # What the clock does.

    def wait(self) -> None:
        self.now = self.add(timedelta(minutes=self.rng.choice([1, 10, 60, 200])))

    def wait_until_midnight(self) -> None:
        """Go to the last second of the day, or to the first of the next one."""
        day = self.now.date() + timedelta(days=1)
        midnight = datetime.combine(day, time(), tzinfo=self.now.tzinfo)
        last = midnight.astimezone(ZoneInfo("UTC")) - timedelta(seconds=self.rng.choice([0, 1]))
        self.now = max(last.astimezone(self.now.tzinfo), self.now, key=datetime.timestamp)

    def add(self, passed: timedelta) -> datetime:
        return (self.now.astimezone(ZoneInfo("UTC")) + passed).astimezone(self.now.tzinfo)

    # What must be.

    def may_submit(self, team: str) -> bool:
        today, made = self.count(team)
        per_day, in_all = self.limits[team]
        is_open = self.now.timestamp() < self.closes_at.timestamp()
        return is_open and today < per_day and made < in_all and self.count_free(team) < FREE

    def count(self, team: str) -> tuple[int, int]:
        counted = [each for each in self.submissions if each.team == team and each.state in COUNTS]
        return sum(is_today(each.at, now=self.now, zone=self.phase.time_zone) for each in counted), len(counted)

    def count_free(self, team: str) -> int:
        free = [each for each in self.submissions if each.team == team and each.state in OVER - COUNTS]
        return sum(is_today(each.at, now=self.now, zone=self.phase.time_zone) for each in free)

    def check(self, after: str) -> None:
        rows = {row.pk: row for row in Submission.objects.filter(phase=self.phase).prefetch_related("scores")}
        assert {pk: row.state for pk, row in rows.items()} == {each.pk: each.state for each in self.submissions}, after
        for row in rows.values():
            scored = sorted((score.references, score.metric) for score in row.scores.all())
            assert scored == (sorted(COLUMNS) if row.state == "scored" else []), after
            if row.state in ENDED:
                end = (row.state, row.reason, row.finished_at, row.created_at, row.digest)
                assert self.ends.setdefault(row.pk, end) == end, after
        for name, team in self.teams.items():
            usage = count_usage(self.phase, team=team, now=self.now)
            assert (usage.today, usage.made) == self.count(name), after
            assert (usage.per_day, usage.in_all) == self.limits[name], after
        board = compute_board(self.phase)
        found = [(entry.rank, entry.team, entry.submission, entry.values) for entry in board.entries]
        assert found == rank_plainly(self.submissions, rule=self.rule, decimals=self.phase.decimals), after

    # How it is done.

    def expect(self, is_allowed: bool, do: Callable):
        """Do what is allowed and return what comes of it; what is not allowed is refused."""
        if is_allowed:
            return do()
        with pytest.raises(ChallengeRefused):
            do()
        self.n_done["refused"] += 1
        return None

    def tell(self) -> dict:
        actor = Actor(user=self.phase.challenge.owner, interface=Interface.PAGE)
        return {"actor": actor, "now": self.now, "reason": REASON}

    def choose(self, state: str = "") -> Plain | None:
        among = [each for each in self.submissions if not state or each.state == state]
        return self.rng.choice(among) if among else None

    def find(self, chosen: Plain) -> Submission:
        return Submission.objects.select_related("phase", "team__challenge").get(pk=chosen.pk)

    def write(self) -> bytes:
        if self.rng.random() < 0.2:
            # An image that is none of the phase: the file fails.
            return write_results(_99="nobody knows this image")
        return write_results(_10=self.rng.choice(WORDS), _12=self.rng.choice(WORDS))
