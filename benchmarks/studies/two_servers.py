"""Kills one of two web servers under load: `python -m benchmarks.studies.two_servers [--raters 300] [--json]`.

Two servers (the command `serve`, each with a folder of its own and as many processes as `--workers`) share one
PostgreSQL server, one Redis server and one S3 server (moto's), all started here. Half of the raters use each server.
They do pairwise tasks: load the page and its image, think, submit. In the middle of the time all processes of the
second server are killed (SIGKILL), and its raters go on at the first one with their cookies, as behind a proxy.

Every answer that a server acknowledged must be in the database: the difference is printed as lost. An error is a
status of 400 or more, or a closed connection; those of the killed server are expected. Response times depend on other
work on the machine, so the load average at the start is printed.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from benchmarks.studies.raters import N_TASKS, RATERS_PER_TASK, wait_for  # noqa: E402
from benchmarks.studies.scripted_raters import REDIRECTS, Browser, Rater, Tally, summarize  # noqa: E402
from tests.postgres import Cluster, find_free_port, make_cluster  # noqa: E402
from tests.shared_services import CREDENTIALS, run_object_store, run_redis  # noqa: E402

_IMAGE = re.compile(r"<img\b[^>]*\bsrc=\"([^\"]+)\"")
_GIVE_FILES = """
import django; django.setup()
from django.core.files.base import ContentFile
from studies.models import Image
from tests.factories.open_studies import draw_picture
for number, image in enumerate(Image.objects.order_by("pk")):
    image.file.save(f"{image.key}.png", ContentFile(draw_picture(number)))
print(Image.objects.filter(file__gt="").count())
"""


@dataclass(slots=True)
class Server:
    """One web server, and what raters measured at it."""

    url: str
    process: subprocess.Popen[bytes]
    tally: Tally = field(default_factory=Tally)
    n_images: int = 0
    is_killed: bool = False

    def kill(self) -> None:
        """Kill all its processes at once, as when the machine loses its power."""
        self.is_killed = True
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass(slots=True)
class Sent:
    """The answers of all raters: how many were submitted, and how many of them a server acknowledged."""

    n_submitted: int = 0
    n_acknowledged: int = 0
    n_interrupted: int = 0
    n_moved: int = 0


def main() -> int:
    """Run once and print the measurements; return 1 if a judgment was lost or the other server had an error."""
    chosen = _parse_arguments()
    load = round(os.getloadavg()[0], 1)
    with TemporaryDirectory() as folder, serve_twice(Path(folder), workers=chosen.workers) as (servers, path, cluster):
        sent = asyncio.run(_work(servers, path, chosen))
        stored = _count_judgments(cluster)
    kept, killed = servers
    row = {
        "raters": chosen.raters,
        "load": load,
        "submitted": sent.n_submitted,
        "acknowledged": sent.n_acknowledged,
        "stored": stored,
        "lost": max(0, sent.n_acknowledged - stored),
        "interrupted": sent.n_interrupted,
        "raters_moved": sent.n_moved,
        "images": kept.n_images + killed.n_images,
        "errors_of_the_other": len(kept.tally.errors),
        "errors_of_the_killed_before": len(killed.tally.errors),
        **{name: summarize(kept.tally, seconds=chosen.seconds)[name] for name in ("p50_ms", "p95_ms", "first_errors")},
    }
    print(json.dumps(row, indent=1) if chosen.json else _format(row))
    return 1 if row["lost"] or row["errors_of_the_other"] or row["errors_of_the_killed_before"] else 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--raters", type=int, default=300)
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds between a page and its answer")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they work; the kill is in the middle")
    parser.add_argument("--ramp", type=float, default=15.0, help="seconds over which they come in")
    parser.add_argument("--workers", type=int, default=1, help="processes of each server")
    parser.add_argument("--json", action="store_true", help="print the row as JSON")
    return parser.parse_args()


@contextmanager
def serve_twice(folder: Path, *, workers: int) -> Iterator[tuple[list[Server], str, Cluster]]:
    """Yield two servers of a study of pairs, the path of its link, and the database."""
    with ExitStack() as stack:
        cluster = stack.enter_context(make_cluster(("max_connections=100",)))
        shared = {
            **os.environ,
            **CREDENTIALS,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": cluster.url,
            "ACCORDANCE_REDIS": stack.enter_context(run_redis(folder)),
            "ACCORDANCE_STORAGE": stack.enter_context(run_object_store()),
            "SECRET_KEY": "of both servers",
            "ACCORDANCE_IDENTITY_KEY": "of both servers too",
            # No limits by address, because all raters come from this machine.
            "ACCORDANCE_JOINS_PER_MINUTE": "0",
            "ACCORDANCE_NEWCOMERS_PER_ADDRESS": "0",
        }
        own = [{**shared, "ACCORDANCE_VAR": str(folder / name)} for name in ("first", "second")]
        make = ("-m", "tests.studies.collection.assignment.large", str(N_TASKS), str(RATERS_PER_TASK))
        token = _run(*make, environment=own[0])
        _run("-c", _GIVE_FILES, environment=own[0])
        servers = [stack.enter_context(_serve(each, workers=workers)) for each in own]
        yield servers, f"/r/{token}/", cluster


@contextmanager
def _serve(environment: dict[str, str], *, workers: int) -> Iterator[Server]:
    port = find_free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(workers)]
    process = subprocess.Popen(
        [*command, "--background", "0"],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    server = Server(f"http://127.0.0.1:{port}", process)
    try:
        asyncio.run(wait_for(port, process))
        yield server
    finally:
        if not server.is_killed:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _run(*arguments: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


class MovingRater(Rater):
    """A rater who also loads the images of pages, and who goes to the other server when the own one is gone."""

    __slots__ = ("at", "other", "sent")

    def move_between(self, at: Server, other: Server, sent: Sent) -> "MovingRater":
        """Set the server that is used, the one that is left, and what is counted."""
        self.at, self.other, self.sent = at, other, sent
        return self

    async def _open(
        self, method: str, path: str, data: dict[str, str] | None = None, *, kind: str | None
    ) -> tuple[str, str]:
        page, path = await Rater._open(self, method, path, data, kind=kind)
        for source in _IMAGE.findall(page):
            if source.startswith("/r/"):
                status, _, _ = await self._try("GET", source, None, kind=None)
                self.at.n_images += status == 200
                if status != 200:
                    self.tally.errors.append(f"GET of an image: status {status}")
        return page, path

    async def _try(
        self, method: str, path: str, data: dict[str, str] | None, *, kind: str | None
    ) -> tuple[int, str, str]:
        self.sent.n_submitted += kind == "submit"
        began = time.monotonic()
        try:
            answer = await self.browser.send(method, path, data)
        except (OSError, EOFError) as error:
            if not self.at.is_killed:
                self.tally.errors.append(f"{method}: {error!r}")
                return 599, "", ""
            self.sent.n_interrupted += kind == "submit"
            self._move()
            # As a proxy does with a request that it could not pass on; an answer that was stored is recognised.
            answer = await self.browser.send(method, path, data)
        self.sent.n_acknowledged += kind == "submit" and answer[0] in REDIRECTS
        if kind:
            self.tally.seconds[kind].append(time.monotonic() - began)
        return answer

    def _move(self) -> None:
        self.sent.n_moved += 1
        cookies = self.browser.cookies
        self.browser.close()
        self.at, self.other = self.other, self.at
        self.browser, self.tally = Browser(self.at.url), self.at.tally
        self.browser.cookies = cookies


async def _work(servers: list[Server], path: str, chosen: argparse.Namespace) -> Sent:
    sent, began = Sent(), time.monotonic()

    async def come(number: int) -> None:
        await asyncio.sleep(chosen.ramp * number / chosen.raters)
        at, other = servers[number % 2], servers[1 - number % 2]
        if at.is_killed:
            at, other = other, at
        rng = Random(number)  # noqa: S311 - clicks, not secrets
        rater = MovingRater(Browser(at.url), path, at.tally, rng, chosen.think, 0.0, began + chosen.seconds)
        try:
            await rater.move_between(at, other, sent).work()
        finally:
            rater.browser.close()

    async def kill() -> None:
        await asyncio.sleep(chosen.seconds / 2)
        servers[1].kill()

    await asyncio.gather(kill(), *(come(number) for number in range(chosen.raters)))
    return sent


def _count_judgments(cluster: Cluster) -> int:
    parts = urlsplit(cluster.url)
    with psycopg.connect(host=parts.hostname, port=parts.port, user=parts.username, dbname="postgres") as connection:
        found = connection.execute("SELECT count(*) FROM studies_judgment").fetchone()
    return int(found[0]) if found else 0


def _format(row: dict[str, Any]) -> str:
    return "\n".join(f"{name:28} {value}" for name, value in row.items())


if __name__ == "__main__":
    sys.exit(main())
