"""Test of "Several servers" of docs/deploy.md: nginx with both files of `deploy/`, and one of two servers stopped."""

import asyncio
import http.client
import os
import signal
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import psycopg
import pytest

from benchmarks.studies.scripted_raters import REDIRECTS, Browser, Rater, Tally
from tests.docs.test_deploy_doc import put_servers_behind, read_settings, wait_for, write_site
from tests.parts import require_program
from tests.postgres import find_free_port, make_cluster
from tests.studies.management.commands.processes import make_environment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
N_RATERS = 16
BEFORE, AFTER = 60, 120
"""The answers that are acknowledged before one server is stopped, and in all."""
BAD_GATEWAY = 502
MOST_SECONDS = 400.0


@dataclass(slots=True)
class Front:
    """nginx before two servers of one database, and the path of a study's link."""

    port: int
    servers: list[subprocess.Popen[bytes]]
    database: str
    path: str

    def count_judgments(self) -> int:
        parts = urlsplit(self.database)
        with psycopg.connect(host=parts.hostname, port=parts.port, user=parts.username, dbname="postgres") as found:
            return int(found.execute("SELECT count(*) FROM studies_judgment").fetchone()[0])


@dataclass(slots=True)
class Seen:
    """What raters were answered: acknowledged answers, and statuses of errors before and after the stop."""

    n_acknowledged: int = 0
    is_stopped: bool = False
    before: Counter[int] = field(default_factory=Counter)
    after: Counter[int] = field(default_factory=Counter)

    async def wait_for(self, n_acknowledged: int) -> None:
        while self.n_acknowledged < n_acknowledged:
            await asyncio.sleep(0.05)


class SafeBrowser(Browser):
    """A browser that believes the certificate and finds study.example.org on this machine."""

    def __init__(self, port: int) -> None:
        super().__init__(f"https://127.0.0.1:{port}")
        self._closed: list[asyncio.StreamWriter] = []
        site = "https://study.example.org"
        self.headers = ["Host: study.example.org", f"Origin: {site}", f"Referer: {site}/"]

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        return await asyncio.open_connection(self.host, self.port, ssl=trusting)

    def close(self) -> None:
        if self._streams:
            self._closed.append(self._streams[1])
        super().close()

    async def end(self) -> None:
        """Wait until all connections are closed."""
        self.close()
        for each in self._closed:
            with suppress(OSError):
                await each.wait_closed()


class ReloadingRater(Rater):
    """A rater who reloads a page that the proxy could not get, and sends an answer again."""

    seen: Seen

    async def _try(
        self, method: str, path: str, data: dict[str, str] | None, *, kind: str | None
    ) -> tuple[int, str, str]:
        while True:
            answer = await self.browser.send(method, path, data)
            if answer[0] >= 400:
                (self.seen.after if self.seen.is_stopped else self.seen.before)[answer[0]] += 1
            if answer[0] != BAD_GATEWAY:
                break
            await asyncio.sleep(0.2)
        self.seen.n_acknowledged += method == "POST" and kind == "submit" and answer[0] in REDIRECTS
        return answer


@contextmanager
def start_server(port: int, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    arguments = ["serve", "--host", "127.0.0.1", "--port", str(port), "--workers", "2", "--background", "0"]
    with subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    safe, first, second = find_free_port(), find_free_port(), find_free_port()
    write_site(tmp_path, plain=find_free_port(), safe=safe, server=8000)
    put_servers_behind(tmp_path, f"127.0.0.1:{first}", f"127.0.0.1:{second}")
    with ExitStack() as stack:
        database = stack.enter_context(make_cluster(("max_connections=60",))).url
        shared = {
            **read_settings(),
            "DATABASE_URL": database,
            # No limits by address, because all raters come from this machine.
            "ACCORDANCE_JOINS_PER_MINUTE": "0",
            "ACCORDANCE_NEWCOMERS_PER_ADDRESS": "0",
        }
        own = [make_environment(tmp_path / name, **shared, HOME=str(tmp_path)) for name in ("first", "second")]
        for each, name in zip(own, ("first", "second"), strict=True):
            (tmp_path / name).mkdir()
            each |= {"ACCORDANCE_VAR": str(tmp_path / name), "DJANGO_SETTINGS_MODULE": "config.settings"}
        make = [sys.executable, "-m", "tests.studies.collection.assignment.large", "400", "5"]
        made = subprocess.run(make, cwd=ROOT, env=own[0], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
        # The second one when the first one has brought the database up to date, as the page says.
        servers = []
        for port, each in zip((first, second), own, strict=True):
            servers.append(stack.enter_context(start_server(port, each)))
            wait_for_server(port)
        nginx = [require_program("nginx"), "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path)]
        proxy = stack.enter_context(subprocess.Popen(nginx))
        stack.callback(proxy.terminate)
        wait_for(safe)
        yield Front(safe, servers, database, f"/r/{made.stdout.strip()}/")


def wait_for_server(port: int) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            connection.request("GET", "/")
            connection.getresponse()
            return
        time.sleep(0.2)
    raise AssertionError(f"nothing answers at port {port}")


async def work(front: Front, number: signal.Signals) -> Seen:
    """Let raters work, and stop one server in the middle."""
    seen = Seen()
    raters = []
    for each in range(N_RATERS):
        browser = SafeBrowser(front.port)
        raters.append(ReloadingRater(browser, front.path, Tally(), Random(each), 0.2, 0.0, float("inf")))
        raters[-1].seen = seen

    async def stop() -> None:
        await seen.wait_for(BEFORE)
        seen.is_stopped = True
        # All processes at once by SIGKILL, as when a machine loses its power; by SIGTERM as systemd stops it.
        (os.killpg if number == signal.SIGKILL else os.kill)(front.servers[1].pid, number)
        await seen.wait_for(AFTER)
        for rater in raters:
            rater.until = 0.0

    async with asyncio.timeout(MOST_SECONDS):
        await asyncio.gather(stop(), *(rater.work() for rater in raters))
    for rater in raters:
        await rater.browser.end()
    return seen


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_one_of_two_servers_is_stopped(number: signal.Signals, front: Front) -> None:
    seen = asyncio.run(work(front, number))

    assert seen.n_acknowledged >= AFTER
    assert front.count_judgments() >= seen.n_acknowledged
    # Not even where the server had begun an answer when it ended.
    assert (dict(seen.before), dict(seen.after)) == ({}, {})
    assert front.servers[0].poll() is None
