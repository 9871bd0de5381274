"""Times pages of a large study: `python -m benchmarks.studies.researcher_pages [--keep FOLDER] [--pages PAGE ...]`.

The study has 20,000 items judged by 20 raters each (400,000 judgments by 200 raters) on a new PostgreSQL server, with
scores of six metrics. Each page is requested through Django's whole stack but without a network, in a new process with
empty caches (cold); then again after a worker process has run the jobs of the page (warm: the median of five); then
again after another judgment (changed).

The bounds are for wall time, which includes waiting for the database. CPU time is that of the server process; on a busy
machine it is a better measure of the work for a page.

The exit status is 1 if a page exceeds its bound, cold, warm or changed.
"""

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
N_ITEMS, PER_ITEM, N_RATERS = 20_000, 20, 200
METRICS = "bleu-1,bleu-4,rouge-1,rouge-2,rouge-l,length"
BOUNDS = {
    "": 300,
    "?items=500": 300,
    "monitoring/": 150,
    "monitoring/now/": 150,
    "explore/": 300,
    "disagreements/": 300,
    "disagreements/?page=40": 300,
    "reports/": 300,
    "runs/": 300,
    "design/": 300,
}
WORDS = [
    "a",
    "the",
    "dog",
    "cat",
    "man",
    "runs",
    "sits",
    "plays",
    "on",
    "grass",
    "street",
    "with",
    "red",
    "small",
    "ball",
    "near",
    "water",
    "and",
    "sky",
]


@dataclass(frozen=True, slots=True)
class Taken:
    """The cost of a response: milliseconds of wall time and of CPU time, and the number of queries."""

    wall: float
    processor: float
    n_queries: int

    def __str__(self) -> str:
        return f"{self.wall:7.0f} {self.processor:6.0f} {self.n_queries:4d}"


def main() -> int:
    """Print a row for each page, and whether its bound is met."""
    from tests.postgres import keep_cluster, run_cluster

    parser = ArgumentParser(
        prog="benchmarks.studies.researcher_pages", description="Times researchers' pages on a large study."
    )
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="where the database stays, for the next run")
    parser.add_argument("--items", metavar="N", type=int, default=N_ITEMS, help="items, each with 20 judgments")
    parser.add_argument("--pages", metavar="PAGE", nargs="+", default=list(BOUNDS), choices=BOUNDS, help="only these")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            url = stack.enter_context(keep_cluster(options.keep)).url
        else:
            url = stack.enter_context(run_cluster())
        os.environ |= {
            "DATABASE_URL": url,
            "ACCORDANCE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "ALLOWED_HOSTS": "testserver",
            "OPENBLAS_NUM_THREADS": "1",
        }
        # A new process for each page.
        workers = {"max_workers": 1, "max_tasks_per_child": 1, "mp_context": get_context("spawn")}
        with ProcessPoolExecutor(**workers) as processes:
            processes.submit(_prepare, options.items).result()
            first = processes.submit(_open_first).result()
            print(f"first page after the database was started: {first.wall:.0f} ms, {first.processor:.0f} of them ours")
            print(f"{'':<24} {'cold':>19} {'warm':>20} {'changed':>20}   load: {os.getloadavg()[0]:.1f}")
            print(f"{'page':<24}{3 * '    wall    cpu    n ':} bound   milliseconds; queries", flush=True)
            late = [page for page in options.pages if not _print_row(page, processes.submit(_time_page, page).result())]
    print(f"above the bound: {', '.join(page or '(overview)' for page in late) or 'none'}")
    return int(bool(late))


def _print_row(page: str, row: tuple[Taken, ...]) -> bool:
    print(f"{page or '(overview)':<24} {'  '.join(map(str, row))} {BOUNDS[page]:6d}", flush=True)
    return max(taken.wall for taken in row) < BOUNDS[page]


def _time_page(page: str) -> tuple[Taken, ...]:
    """Return the cost of the page cold, warm and after another judgment."""
    ask = _start()
    cold = ask(page)
    # The jobs may lead to further ones.
    for _ in range(2):
        _do_the_work()
        ask(page)
    again = sorted((ask(page) for _ in range(5)), key=lambda taken: taken.wall)
    _judge_once_more()
    return cold, again[2], ask(page)


def _prepare(n_items: int) -> None:
    """Create the study and score it, unless it is in the database."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    owner, is_new = User.objects.get_or_create(username="owner")
    if not is_new:
        return
    started = time.perf_counter()
    make_large_study(owner, n_items=n_items)
    print(f"made {n_items * PER_ITEM:,} judgments in {time.perf_counter() - started:.0f} s")
    call_command("score", "large", metrics=METRICS, stdout=StringIO(), stderr=StringIO())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _open_first() -> Taken:
    """Return the cost of the first page, when the database has just been started and reads its files from disk."""
    return _start()("")


def _start() -> Callable[[str], Taken]:
    """Start like a server, with empty caches, and log in; return a function that requests a page."""
    import_module("config.wsgi")
    from django.contrib.auth.models import User
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    cache.clear()
    client = Client()
    client.force_login(User.objects.get(username="owner"))

    def ask(page: str) -> Taken:
        with CaptureQueriesContext(connection) as queries:
            wall, processor = time.perf_counter(), time.process_time()
            response = client.get(f"/studies/large/{page}")
            taken = time.perf_counter() - wall, time.process_time() - processor
        if response.status_code != 200:
            raise RuntimeError(f"{page}: {response.status_code}")
        return Taken(1000 * taken[0], 1000 * taken[1], len(queries))

    return ask


def make_large_study(owner: Any, *, n_items: int) -> None:
    """Create the study with SQL in the database, because inserting single rows would take minutes."""
    from random import Random

    from django.db import connection

    from studies.design.study_design import Pay, ScalePoint, StudyDesign
    from studies.models import Candidate, Dataset, Image, Item, Rater, Reference, Study, StudyVersion, System, Task

    rng, now = Random(1), datetime.now(UTC)  # noqa: S311 - words and lengths, not a secret
    dataset = Dataset.objects.create(name="large-data", title="Large", created_at=now)
    study = Study.objects.create(
        dataset=dataset, name="large", title="Large", kind="rating", owner=owner, created_at=now,
        protocol="custom@1|rows:all|refs:all|ratings:mean|level:item|coef:kendall-c",
    )  # fmt: skip
    design = StudyDesign(
        question="How well?", consent="Yes.", instructions="Read.", raters_per_task=PER_ITEM,
        scale=tuple(ScalePoint(float(value), str(value)) for value in range(1, 6)),
        pay=Pay(reward=1.0, hourly_wage=9.0, budget=5000.0),
    )  # fmt: skip
    version = StudyVersion.objects.create(study=study, number=1, design=design.to_json(), created_at=now)
    systems = [System.objects.create(dataset=dataset, name=f"system-{number}") for number in range(10)]
    n_images = n_items // len(systems)
    images = Image.objects.bulk_create([Image(dataset=dataset, key=f"image-{n:05d}") for n in range(n_images)])

    def write() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(5, 14)))

    Reference.objects.bulk_create(
        [Reference(image=image, position=slot, text=write()) for image in images for slot in range(5)]
    )
    candidates = Candidate.objects.bulk_create(
        [
            Candidate(dataset=dataset, image=image, system=system, key=f"{image.key}-{system.name}", text=write())
            for image in images
            for system in systems
        ]
    )
    tasks = Task.objects.bulk_create([Task(study=study, position=slot) for slot in range(n_items)])
    Item.objects.bulk_create(
        [
            Item(task=task, position=0, key=candidate.key, image_id=candidate.image_id, candidate=candidate)
            for task, candidate in zip(tasks, candidates, strict=True)
        ]
    )
    Rater.objects.bulk_create([Rater(study=study, pseudonym=f"rater-{n:03d}", joined_at=now) for n in range(N_RATERS)])
    with connection.cursor() as cursor:
        for statement in _STATEMENTS:
            cursor.execute(
                statement, {"study": study.pk, "version": version.pk, "k": PER_ITEM, "n": N_RATERS, "now": now}
            )
    Study.objects.filter(pk=study.pk).update(state="open", started_at=now - timedelta(hours=40))


_STATEMENTS = (
    """INSERT INTO studies_slot (study_id, task_id, number, turn, is_held)
    SELECT %(study)s, id, number, (random() * 1e9)::int, false
    FROM studies_task, generate_series(1, %(k)s) number WHERE study_id = %(study)s""",
    """INSERT INTO studies_assignment
    (study_id, task_id, slot_id, session, rater_id, version_id, state, shown, leased_at, expires_at, submitted_at)
    SELECT slot.study_id, slot.task_id, slot.id, 1, rater.id, %(version)s, 'submitted', '[]',
    times.at - interval '20 seconds', times.at + interval '30 minutes', times.at
    FROM studies_slot slot JOIN studies_task task ON task.id = slot.task_id
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM studies_rater WHERE study_id = %(study)s) rater
    ON rater.number = (task.position * 7 + slot.number * 9) %% %(n)s
    CROSS JOIN LATERAL (SELECT %(now)s - interval '40 hours' * (1 - (slot.id %% 9973) / 9973.0) AS at) times
    WHERE slot.study_id = %(study)s""",
    """INSERT INTO studies_judgment (item_id, rater_id, assignment_id, value, answer, elapsed_ms, created_at)
    SELECT item.id, held.rater_id, held.id, 1 + floor(random() * 3 + length(candidate.text) / 40.0)::int %% 5, '{}',
    3000 + (random() * 9000)::int, held.submitted_at
    FROM studies_assignment held JOIN studies_item item ON item.task_id = held.task_id
    JOIN studies_candidate candidate ON candidate.id = item.candidate_id ORDER BY held.submitted_at""",
)


def _do_the_work() -> None:
    # In a separate process, so that pages do not use what workers have in memory.
    command = [sys.executable, str(ROOT / "manage.py"), "run_jobs", "--batch"]
    subprocess.run(command, check=True, capture_output=True)


def _judge_once_more() -> None:
    from studies.models import Item, Judgment, Rater, Study

    study = Study.objects.get(name="large")
    newcomer = Rater.objects.create(study=study, pseudonym=f"late-{Rater.objects.count()}", joined_at=datetime.now(UTC))
    Judgment.objects.create(
        item=Item.objects.filter(task__study=study).first(), rater=newcomer, value=3.0, created_at=datetime.now(UTC)
    )


if __name__ == "__main__":
    sys.exit(main())
