"""What `serve` and `demo` have in common: the address, an up-to-date database, and the server."""

import os
import socket
import sys

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connections

from studies.management.supervising import Supervisor
from studies.scoring.plugin_catalog import get_folder, load_catalog

WORKERS = 3
# Of a request its time, method, status, size and duration, where somebody asks for a log of requests: neither who sent
# it nor what for.
ACCESS_FORMAT = "%(t)s %(m)s %(s)s %(b)s bytes %(M)s ms"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
# Without threads a worker waits for the request of whoever only connects: browsers connect ahead of need, and as many
# of them as there are workers would keep everybody else out.
THREADS = 4
KEEP_ALIVE_SECONDS = 20
PAGES_WAIT = 5.0
"""Seconds that a page waits for plugins that were dropped in a moment ago; loading most takes one."""


def add_address_arguments(parser: CommandParser) -> None:
    """Add where to serve, and with how many processes."""
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=WORKERS, help="server processes (default: %(default)s)")
    parser.add_argument(
        "--background", type=int, default=1, metavar="N", help="workers of the background (default: %(default)s)"
    )


def prepare_database() -> None:
    """Bring the tables up to date, so that a fresh clone can be served."""
    call_command("migrate", verbosity=0)


def check_address(host: str, port: int) -> None:
    """End the command if nothing can listen there; better now than after the work before the serving."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"cannot serve at {host}:{port}: {error.strerror}; choose another --port") from error


def serve(*, host: str, port: int, workers: int, background: int) -> None:
    """Serve, with so many workers of the background beside the server; this call does not come back."""
    check_address(host, port)
    # Sums that OpenBLAS splits over threads end in other last bits than those of one thread, and splitting arrays as
    # small as ours costs more than it gains. What the server and its workers start inherits it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    get_folder().mkdir(parents=True, exist_ok=True)
    # Once here, so that the first page that lists metrics need not wait for plugins to be tried.
    load_catalog(within=PAGES_WAIT)
    sys.stdout.flush()
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    processes = ["--workers", str(workers), "--worker-class", "gthread", "--threads", str(THREADS)]
    # Somebody at work thinks longer than gunicorn's two seconds, and would connect anew for each answer.
    options = ["--bind", bind, *processes, "--keep-alive", str(KEEP_ALIVE_SECONDS), "--log-level", "warning"]
    options += ["--logger-class", "config.server_logs.ScrubbingLogger", "--access-logformat", ACCESS_FORMAT]
    # For the server alone: what works in the background waits until all plugins are loaded.
    options += ["--env", f"ACCORDANCE_PAGES_WAIT={PAGES_WAIT:g}"]
    server = [sys.executable, "-m", "gunicorn", "config.wsgi:application", *options]
    if background:
        worker = [sys.executable, str(settings.BASE_DIR / "manage.py"), "background"]
        connections.close_all()
        sys.exit(Supervisor(server=server, worker=worker, n_workers=background).run())
    # This process is replaced, so that a signal to it reaches the server itself. Nothing but our own arguments gets
    # here, and no shell is in between.
    os.execv(sys.executable, server)  # noqa: S606
