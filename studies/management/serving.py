"""Common code of `serve` and `demo`: the address, migrations, and the server."""

import os
import socket
import sys

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connections

from jobs.worker.command_lines import make_command_line
from studies.management.supervising import Supervisor
from studies.scoring.plugins.catalog import get_folder, load_catalog

WORKERS = 3
# The time, method, status, size and duration of a request, for operators who enable a request log; without the client
# and the path.
ACCESS_FORMAT = "%(t)s %(m)s %(s)s %(b)s bytes %(M)s ms"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
# Browsers open connections in advance. Without threads each would block a worker, so that as many connections as there
# are workers would block all other clients.
THREADS = 4
KEEP_ALIVE_SECONDS = 20
PAGES_WAIT = 5.0
"""The time in seconds for which a page waits for new plugins; most load within a second."""


def add_address_arguments(parser: CommandParser) -> None:
    """Add the arguments for the address and the number of processes."""
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=WORKERS, help="server processes (default: %(default)s)")
    parser.add_argument(
        "--background", type=int, default=1, metavar="N", help="background workers (default: %(default)s)"
    )


def prepare_database() -> None:
    """Apply migrations, so that a fresh clone can be served."""
    call_command("migrate", verbosity=0)


def check_address(host: str, port: int) -> None:
    """End the command early if the address cannot be used."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"cannot serve at {host}:{port}: {error.strerror}; choose another --port") from error


def serve(*, host: str, port: int, workers: int, background: int) -> None:
    """Serve with this number of background workers; this call does not return."""
    check_address(host, port)
    # OpenBLAS results depend in the last bits on the number of threads, and for arrays of this size threads cost more
    # than they gain. The server and its workers inherit this.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    get_folder().mkdir(parents=True, exist_ok=True)
    # Queue the loading of plugins now, so that the first page with metrics need not wait.
    load_catalog(within=0.0)
    sys.stdout.flush()
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    processes = ["--workers", str(workers), "--worker-class", "gthread", "--threads", str(THREADS)]
    # Raters pause for longer than gunicorn's two seconds, and would need a new connection for each answer.
    options = ["--bind", bind, *processes, "--keep-alive", str(KEEP_ALIVE_SECONDS), "--log-level", "warning"]
    options += ["--logger-class", "config.server_logs.ScrubbingLogger", "--access-logformat", ACCESS_FORMAT]
    # Only for the server; background work waits until all plugins are loaded.
    options += ["--env", f"ACCORDANCE_PAGES_WAIT={PAGES_WAIT:g}"]
    # What a page computes takes less time than a cluster would add.
    options += ["--env", "ACCORDANCE_EXECUTOR=processes"]
    server = [sys.executable, "-m", "gunicorn", "config.wsgi:application", *options]
    if background:
        worker = make_command_line("background")
        connections.close_all()
        sys.exit(Supervisor(server=server, worker=worker, n_workers=background).run())
    # This process is replaced, so that signals reach the server itself. No shell, and no arguments from
    # outside.
    os.execv(sys.executable, server)  # noqa: S606
