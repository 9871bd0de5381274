"""Times a large leaderboard: `python -m benchmarks.challenges.board [--submissions N] [--columns N] [--turns N]`.

A phase has N scored submissions of as many teams, each with scores of its images (5,000 a column) in a new SQLite file.
The page is requested through Django's whole stack but without a network. The peer is pandas: `read_sql_query` of the
same scores, `pivot`, `rank` and `to_html`. Both take turns in one process; the medians and their ratio are printed.

The exit status is 1 if the median of the page exceeds its bound of 300 ms.
"""

import os
import statistics
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

N_SUBMISSIONS, N_COLUMNS, N_IMAGES, BOUND = 500, 12, 5_000, 300.0
NOW = datetime(2026, 1, 1, tzinfo=UTC)
METRICS = ("cider-d", "bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l")
QUERY = """
SELECT s.id AS submission, t.name AS team, x.metric || ':' || x.references_ AS name, round(x.value, 3) AS value
FROM (SELECT submission_id, metric, "references" AS references_, value FROM challenges_submissionscore) x
JOIN challenges_submission s ON s.id = x.submission_id JOIN challenges_team t ON t.id = s.team_id
WHERE s.state = 'scored'
"""


def main() -> int:
    """Print both medians in milliseconds, their ratio, and whether the bound is met."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--submissions", type=int, default=N_SUBMISSIONS)
    parser.add_argument("--columns", type=int, default=N_COLUMNS, help="at most 12")
    parser.add_argument("--turns", type=int, default=9)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "ACCORDANCE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "ALLOWED_HOSTS": "testserver",
        }
        _prepare(n_submissions=options.submissions, n_columns=options.columns)
        taken = _time_by_turns(
            {"page": _request_page, "pandas": lambda: _read_by_pandas(Path(folder) / "db.sqlite3")},
            n_turns=options.turns,
        )
    page, peer = taken["page"], taken["pandas"]
    is_met = page <= BOUND
    print(f"{options.submissions} submissions x {options.columns} columns")
    print(f"page {page:.0f} ms, pandas {peer:.0f} ms, ratio {page / peer:.2f}")
    print(f"bound {BOUND:.0f} ms: {'met' if is_met else 'missed'}")
    return 0 if is_met else 1


def _prepare(*, n_submissions: int, n_columns: int) -> None:
    import django

    django.setup()
    import numpy as np
    from django.core.management import call_command

    from challenges.models import Challenge, Phase, PhaseMetric, PhaseReferences, Submission, SubmissionScore, Team
    from studies.models import Dataset

    call_command("migrate", verbosity=0)
    rng = np.random.default_rng(0)
    dataset = Dataset.objects.create(name="images", title="Images", created_at=NOW)
    challenge = Challenge.objects.create(slug="large", title="Large", dataset=dataset, state="open", created_at=NOW)
    dates = {"opens_at": NOW - timedelta(days=1), "closes_at": NOW + timedelta(days=36_500)}
    phase = Phase.objects.create(challenge=challenge, slug="test", title="Test", visibility="all", **dates)
    columns = [(metric, references) for references in ("c5", "c40") for metric in METRICS][:n_columns]
    for position, metric in enumerate(dict.fromkeys(metric for metric, _ in columns)):
        PhaseMetric.objects.create(phase=phase, metric=metric, position=position)
    for position, references in enumerate(dict.fromkeys(references for _, references in columns)):
        PhaseReferences.objects.create(phase=phase, name=references, position=position)
    rows = rng.random(N_IMAGES).astype("<f8").tobytes()
    for number in range(n_submissions):
        team = Team.objects.create(challenge=challenge, name=f"team {number}", created_at=NOW)
        given = {"name": "results.json", "n_bytes": 1, "created_at": NOW, "finished_at": NOW}
        submission = Submission.objects.create(team=team, phase=phase, state="scored", **given)
        SubmissionScore.objects.bulk_create(
            SubmissionScore(
                submission=submission,
                metric=metric,
                references=references,
                signature=metric,
                value=rng.random(),
                n_images=N_IMAGES,
                per_image=rows,
            )
            for metric, references in columns
        )


def _request_page() -> None:
    from django.test import Client

    response = Client().get("/challenges/large/phases/test/leaderboard/")
    if response.status_code != 200:
        raise RuntimeError(f"the page must answer 200, got {response.status_code}")


def _read_by_pandas(database: Path) -> None:
    import sqlite3

    import pandas as pd

    connection = sqlite3.connect(database)
    try:
        scores = pd.read_sql_query(QUERY, connection)
    finally:
        connection.close()
    table = scores.pivot(index="team", columns="name", values="value")
    table["rank"] = table.iloc[:, 0].rank(method="min", ascending=False)
    table.sort_values("rank").to_html()


def _time_by_turns(works: dict[str, Callable[[], None]], *, n_turns: int) -> dict[str, float]:
    """Return the median milliseconds of each, after one call that is not timed."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(n_turns + 1):
        for name, work in works.items():
            begun = time.perf_counter()
            work()
            if turn:
                taken[name].append(1000 * (time.perf_counter() - begun))
    return {name: statistics.median(each) for name, each in taken.items()}


if __name__ == "__main__":
    sys.exit(main())
