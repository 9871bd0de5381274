"""A site on which teams submit while workers are killed at random; run in a process of its own with Django set up.

The workers are real processes with dispatchers and job processes of theirs. A worker counts as dead after two seconds
here, so that what was lost is taken up soon.
"""

import json
import os
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from random import Random

from django.db import OperationalError, connections
from django.utils import timezone

from challenges.board.ranking import compute_board
from challenges.enums import ENDED
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import rescore
from challenges.models import Phase, Submission, Team
from challenges.submissions.cancelling import cancel_submission
from challenges.submissions.scoring import load_metrics
from challenges.taking_part.limits import count_usage
from jobs.enums import UNDER_WAY
from jobs.models import Job, JobLine
from jobs.worker import claiming, dispatching
from studies.access.audit import COMMAND_LINE
from tests.challenges.challenges import make_challenge, make_phase, make_team, submit, write_results
from tests.challenges.oracle import COLUMNS, COUNTS, Plain, rank_plainly
from tests.studies.management.commands.processes import list_children

N_TEAMS, N_EACH, N_KILLS, N_WORKERS = 20, 10, 25, 3
IN_ALL = 8
WORDS = ("a dog runs on the green grass", "a cat", "people on bikes", "a man in the rain", "")


def run_chaos(seed: int) -> None:
    """Let teams submit and workers die, wait until no job is left, and print what there is as JSON."""
    rng = Random(seed)
    phase = _make_phase()
    load_metrics()
    workers = [_start_worker() for _ in range(N_WORKERS)]
    try:
        made, refused, kills = _submit_and_kill(phase, workers, rng=rng)
        _wait(lambda: not Job.objects.filter(state__in=UNDER_WAY).exists(), workers)
    finally:
        for pid in workers:
            _kill(pid)
            os.waitpid(pid, 0)
    told = {"made": made, "refused": refused, "kills": kills, **_describe(phase)}
    told["left"] = {team.name: _use_up(phase, team) for team in Team.objects.all()}
    sys.stdout.write(json.dumps(told))


def _make_phase() -> Phase:
    now = timezone.now()
    challenge = make_challenge()
    dates = {"opens_at": now - timedelta(days=1), "closes_at": now + timedelta(days=1)}
    phase = make_phase(challenge, **dates, per_day=1000, in_all=IN_ALL)
    for number in range(N_TEAMS):
        make_team(challenge, f"team-{number}")
    return phase


def _start_worker() -> int:
    """Fork a worker from this process, which has loaded everything; return its process id."""
    connections.close_all()
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            claiming.DEAD_AFTER = timedelta(seconds=2)
            dispatching.LOOK_SECONDS, dispatching.BEAT_SECONDS = 0.02, 0.3
            dispatching.CANCEL_SECONDS = dispatching.REQUEUE_SECONDS = 0.3
            dispatching.Dispatcher(now=timezone.now, lanes=("challenges",)).run()
        os._exit(1)
    return pid


def _submit_and_kill(phase: Phase, workers: list[int], *, rng: Random) -> tuple[int, int, dict[str, int]]:
    """Make all submissions; between them processes die, and a host scores everything again."""
    teams = list(Team.objects.order_by("pk")) * N_EACH
    rng.shuffle(teams)
    n_made = n_refused = 0
    kills: Counter[str] = Counter()
    for number, team in enumerate(teams):
        try:
            made = _retry(lambda team=team: submit(phase, team=team, content=_write(rng), now=timezone.now()))
        except ChallengeRefused:
            n_refused += 1
        else:
            n_made += 1
            if rng.random() < 0.1:
                with suppress(ChallengeRefused):
                    _retry(lambda made=made: cancel_submission(made, reason="A mistake.", now=timezone.now()))
        if number % 50 == 49:
            _retry(lambda: rescore(phase, reason="A fault.", actor=COMMAND_LINE, now=timezone.now()))
        if number % (len(teams) // N_KILLS) == 0:
            kills[_kill_something(workers, rng=rng)] += 1
    return n_made, n_refused, dict(kills)


def _kill_something(workers: list[int], *, rng: Random) -> str:
    """Kill a job's process, if there is one, or a worker, which is replaced; at a moment when a job runs."""
    _wait(lambda: Job.objects.filter(state="running").exists() or not _is_waiting(), workers)
    time.sleep(rng.random() * 0.1)
    number = rng.randrange(N_WORKERS)
    children = list_children(workers[number])
    if children and rng.random() < 0.5:
        _kill(children.pop())
        return "job"
    _kill(workers[number])
    os.waitpid(workers[number], 0)
    workers[number] = _start_worker()
    return "worker"


def _is_waiting() -> bool:
    return Job.objects.filter(state__in=UNDER_WAY).exists()


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _wait(question, workers: list[int]) -> None:
    """Wait for something that workers bring about; they are all there meanwhile."""
    while not _retry(question):
        for pid in workers:
            if os.waitpid(pid, os.WNOHANG)[0]:
                raise RuntimeError(f"the worker {pid} ended of itself")
        time.sleep(0.05)


def _retry(do):
    """Do what a busy database may refuse, as SQLite does when many processes write."""
    while True:
        try:
            return do()
        except OperationalError:
            time.sleep(0.1)


def _write(rng: Random) -> bytes:
    if rng.random() < 0.1:
        return write_results(_99="nobody knows this image")
    return write_results(_10=rng.choice(WORDS), _12=rng.choice(WORDS))


def _describe(phase: Phase) -> dict:
    rows = list(Submission.objects.select_related("team").prefetch_related("scores").order_by("pk"))
    plain = [_read(row) for row in rows]
    board = compute_board(phase)
    return {
        "states": Counter(row.state for row in rows),
        "unended": [row.pk for row in rows if row.state not in ENDED or row.finished_at is None],
        "n_lost": JobLine.objects.filter(text__startswith="lost:").count(),
        "misscored": [row.pk for row in rows if not _is_scored_once(row)],
        "counted": {
            team.name: [
                count_usage(phase, team=team, now=timezone.now()).made,
                sum(each.team == team.name and each.state in COUNTS for each in plain),
            ]
            for team in Team.objects.all()
        },
        "board": [[each.rank, each.team, each.submission, each.values] for each in board.entries],
        "plain_board": rank_plainly(plain, rule="best", decimals=phase.decimals),
    }


def _read(row: Submission) -> Plain:
    with row.file.open("rb") as file:
        content = file.read()
    # A job that was killed as often as it is tried is given up: its submission says so, and keeps the scores it has.
    stored = {(each.references, each.metric) for each in row.scores.all()}
    uncomputed = frozenset(COLUMNS) - stored if row.reason else frozenset()
    return Plain(row.token, row.pk, row.team.name, row.created_at, content, row.state, uncomputed=uncomputed)


def _is_scored_once(row: Submission) -> bool:
    """Whether it has a score in each column if it says that nothing was left out, else some, and none if it failed."""
    found = Counter((each.references, each.metric) for each in row.scores.all())
    once = Counter(COLUMNS)
    if row.state != "scored":
        return not found
    return found == once if not row.reason else bool(found) and found <= once


def _use_up(phase: Phase, team: Team) -> list[int]:
    """Submit until it is refused; return how many more were said to be possible, and how many were."""
    said, n_made = count_usage(phase, team=team, now=timezone.now()).left, 0
    with suppress(ChallengeRefused):
        while True:
            submit(phase, team=team, now=timezone.now())
            n_made += 1
    return [said, n_made]
