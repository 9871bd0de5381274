"""Times the page of a leaderboard of many teams and columns: `python -m benchmarks.challenges.board`.

    python -m benchmarks.challenges.board [--teams 500] [--repetitions 20]

A phase with twelve columns, six metrics with two sets of references, with intervals and clusters, is made in a new
SQLite file. The page is requested through Django's whole stack, without a network. The peer is the raw SQL that reads
the rows of the page, submissions with teams and scores, in the same process. It prints medians of wall and processor
milliseconds.

The exit status is 1 if the page takes `BOUND` milliseconds of processor time or more.
"""

import argparse
import os
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

METRICS = ("cider-d", "rouge-l", "bleu-1", "bleu-2", "bleu-3", "bleu-4")
BOUND = 300
N_IMAGES = 1000
# A tenth of a server's: comparing all pairs by BLEU takes minutes, and the page costs the same.
N_RESAMPLES = 100
ROWS = """
    SELECT s.id, t.name, s.created_at, c."references", c.metric, c.value
    FROM challenges_submission s
    JOIN challenges_team t ON t.id = s.team_id
    JOIN challenges_submissionscore c ON c.submission_id = s.id
    WHERE s.phase_id = %s
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teams", type=int, default=500)
    parser.add_argument("--repetitions", type=int, default=20)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "ACCORDANCE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "ALLOWED_HOSTS": "testserver",
        }
        import django

        django.setup()
        phase = make_phase(chosen.teams)
        sides = {"page": make_request(phase), "raw SQL": make_query(phase)}
        measured = {side: measure(act, chosen.repetitions) for side, act in sides.items()}
    print(f"{chosen.teams} teams, {2 * len(METRICS)} columns")
    for side, (wall, processor) in measured.items():
        print(f"{side:8} {wall:8.1f} ms, {processor:8.1f} ms of processor")
    print(f"page / raw SQL: {measured['page'][1] / measured['raw SQL'][1]:.1f}")
    return int(measured["page"][1] >= BOUND)


def make_phase(n_teams: int) -> Any:
    """Return a phase with one scored submission of each team, and compute its intervals."""
    import numpy as np
    from django.core.management import call_command
    from django.utils import timezone

    from challenges.board.image_statistics import pack_statistics
    from challenges.board.interval_jobs import compute_record
    from challenges.board.ranking import compute_board
    from challenges.enums import ChallengeState, SubmissionState
    from challenges.models import (
        Challenge,
        Phase,
        PhaseIntervals,
        PhaseMetric,
        PhaseReferences,
        Submission,
        SubmissionScore,
        Team,
    )
    from studies.models import Dataset

    call_command("migrate", verbosity=0)
    now, rng = timezone.now(), np.random.default_rng(0)
    dataset = Dataset.objects.create(name="photos", title="Photos", created_at=now)
    challenge = Challenge.objects.create(
        slug="captions", title="Captions", dataset=dataset, state=ChallengeState.OPEN, created_at=now
    )
    phase = Phase.objects.create(
        challenge=challenge,
        slug="test",
        title="Test",
        visibility="all",
        shows_intervals=True,
        opens_at=now - timedelta(days=1),
        closes_at=now + timedelta(days=1),
    )
    for position, metric in enumerate(METRICS):
        PhaseMetric.objects.create(phase=phase, metric=metric, position=position)
    for position, count in enumerate((5, 40)):
        PhaseReferences.objects.create(phase=phase, name=f"c{count}", count=count, position=position)
    names = [f"Team {number}" for number in range(n_teams)]
    teams = Team.objects.bulk_create([Team(challenge=challenge, name=name, created_at=now) for name in names])
    given = {"phase": phase, "name": "x", "n_bytes": 1, "created_at": now, "finished_at": now}
    submissions = Submission.objects.bulk_create(
        [Submission(team=team, state=SubmissionState.SCORED, **given) for team in teams]
    )
    scores = []
    for submission in submissions:
        skill = rng.uniform(0.3, 0.6)
        for metric in METRICS:
            for references in ("c5", "c40"):
                by_image = make_statistics(metric, skill=skill, rng=rng)
                is_mean = not metric.startswith("bleu")
                scores.append(
                    SubmissionScore(
                        submission=submission,
                        references=references,
                        metric=metric,
                        signature=metric,
                        value=by_image[:, 0].mean(),
                        n_images=N_IMAGES,
                        is_mean=is_mean,
                        per_image=pack_statistics(by_image, n_images=N_IMAGES, is_mean=is_mean),
                    )
                )
    SubmissionScore.objects.bulk_create(scores, batch_size=500)
    started = time.perf_counter()
    record = compute_record(compute_board(phase), phase, n_resamples=N_RESAMPLES)
    print(f"intervals and clusters of {N_RESAMPLES} resamples in the background: {time.perf_counter() - started:.1f} s")
    PhaseIntervals.objects.create(phase=phase, computed_at=now, record=record)
    return phase


def make_statistics(metric: str, *, skill: float, rng: Any) -> Any:
    """Return scores of images, shape (n_images, 1), or for BLEU the statistics that it is computed from."""
    import numpy as np

    if not metric.startswith("bleu"):
        return rng.normal(skill, 0.2, size=(N_IMAGES, 1))
    orders = np.arange(int(metric.removeprefix("bleu-")))
    guessed = np.tile(10 - orders, (N_IMAGES, 1))
    lengths = np.full((N_IMAGES, 2), 10)
    return np.hstack([rng.binomial(guessed, skill), guessed, lengths]).astype(np.float64)


def make_request(phase: Any) -> Callable[[], None]:
    """Return a function that requests the page."""
    from django.test import Client

    client = Client()
    path = f"/challenges/{phase.challenge.slug}/phases/{phase.slug}/leaderboard/"

    def ask() -> None:
        response = client.get(path)
        if response.status_code != 200 or b"95 % interval" not in response.content:
            raise RuntimeError(f"{path}: {response.status_code}")

    return ask


def make_query(phase: Any) -> Callable[[], None]:
    """Return a function that reads the rows of the page by raw SQL."""
    from django.db import connection

    def read() -> None:
        with connection.cursor() as cursor:
            cursor.execute(ROWS, [phase.pk])
            cursor.fetchall()

    return read


def measure(act: Callable[[], None], repetitions: int) -> tuple[float, float]:
    """Return the median milliseconds of wall and processor time, after a first call that is not counted."""
    act()
    taken = []
    for _ in range(repetitions):
        wall, processor = time.perf_counter(), time.process_time()
        act()
        taken.append((1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - processor)))
    return median(wall for wall, _ in taken), median(processor for _, processor in taken)


if __name__ == "__main__":
    raise SystemExit(main())
