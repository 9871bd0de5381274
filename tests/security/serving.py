"""A site served by `manage.py serve` on loopback, with a separate database and folders."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.postgres import find_free_port
from tests.prepared_process import PreparedProcess, prepare_process
from tests.security.client import Client
from tests.studies.installations import make_database
from tests.studies.management.commands.processes import make_environment, migrate, start
from tests.studies.management.commands.test_serve import fetch

START_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Site:
    """A site that is being served.

    Attributes:
        url: Its address, without a slash at the end.
        folder: Where it keeps everything.
        environment: What its processes were started with; commands of the operator run with the same.
        pid: The process of the server, the parent of those that answer.
    """

    url: str
    folder: Path
    environment: dict[str, str]
    pid: int
    _open: ExitStack = field(repr=False)
    _prepared: PreparedProcess = field(repr=False)

    def visit(self, *, address: str = "127.0.0.1") -> Client:
        """Return a new browser that comes from an address."""
        client = Client(self.url, address=address)
        self._open.callback(client.close)
        return client

    def call(self, source: str) -> list[str]:
        """Run Python with the site's settings and database, Django set up; return the lines that it printed."""
        return self._prepared.call(source)

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py` as the operator of the site, and return what it printed."""
        return self._prepared.manage(*arguments)


@contextmanager
def serve_site(folder: Path, *, background: int = 0, **settings: str) -> Iterator[Site]:
    """Serve a site that has nothing in it yet, until the block ends.

    Args:
        folder: An empty one, for the database and all else.
        background: How many workers of the background run beside the server.
        settings: Further variables of its environment.
    """
    # One proxy is said to stand before it, so that a client can come from any address.
    chosen = {"DJANGO_SETTINGS_MODULE": "config.settings", "ACCORDANCE_PROXIES": "1", "HOME": str(folder), **settings}
    port = find_free_port()
    options = ("--port", str(port), "--workers", "1", "--background", str(background))
    with ExitStack() as stack:
        server = os.environ.get("ACCORDANCE_TEST_POSTGRES")
        if server:
            # The whole run uses PostgreSQL (`-p tests.postgres`): this site has a database of its own there.
            chosen["DATABASE_URL"] = stack.enter_context(make_database(server, f"site_{port}"))
        environment = make_environment(folder, **chosen)
        migrate(environment)
        prepared = stack.enter_context(prepare_process(environment))
        process = stack.enter_context(start("serve", *options, environment=environment))
        clients = stack.enter_context(ExitStack())
        try:
            fetch(f"http://127.0.0.1:{port}/login/", within=START_SECONDS)
            yield Site(f"http://127.0.0.1:{port}", folder, environment, process.pid, clients, prepared)
        finally:
            process.terminate()
