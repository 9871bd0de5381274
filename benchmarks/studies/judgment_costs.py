"""Measures what a judgment costs: `python -m benchmarks.studies.judgment_costs [--peer CHECKOUT] [--json]`.

For each kind of task, simulated raters submit one task after another over HTTP to the command `serve` with one process,
on PostgreSQL. A judgment is a submitted task page with all its items and the page of the next task. Joining is not
counted. Printed are milliseconds of processor time per judgment of the web processes and of PostgreSQL, and SQL
statements per judgment, those of transactions (BEGIN, COMMIT) included.

The peer is another checkout, such as a worktree of an earlier commit. It has a server and a database of its own; the
sides take turns, so that both are measured under the same other work on the machine.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from benchmarks.studies.raters import count_cpu, run_server  # noqa: E402
from benchmarks.studies.scripted_raters import Browser, Rater, Tally  # noqa: E402
from tests.postgres import Cluster, find_free_port, make_cluster  # noqa: E402

KINDS: Final = ("pairwise", "rating", "caption", "set_rating")
N_TASKS, N_ITEMS, TASKS_PER_RATER = 60, 3, 40
"""Tasks of a study; items of a rating task; judgments of a rater, few enough that the study is never full."""

_COUNT: Final = "SELECT sum(calls) FROM pg_stat_statements"


@dataclass(frozen=True, slots=True)
class Side:
    """A checkout that is served.

    Attributes:
        name: "ours" or "peer".
        links: Kind of task -> address of its study.
        pid: The server's process id.
        cluster: Its PostgreSQL server.
    """

    name: str
    links: dict[str, str]
    pid: int
    cluster: Cluster


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a judgment: processor time in milliseconds, and the number of SQL statements."""

    web_ms: float
    database_ms: float
    statements: float


def main() -> int:
    """Print the cost of a judgment for each kind and side."""
    chosen = _parse_arguments()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        checkouts = {"ours": ROOT, **({"peer": chosen.peer.resolve()} if chosen.peer else {})}
        sides = [
            stack.enter_context(_serve(name, checkout, Path(folder) / name, chosen.kinds))
            for name, checkout in checkouts.items()
        ]
        rows = [row for kind in chosen.kinds for row in _measure_kind(sides, kind, chosen.rounds)]
    print(json.dumps(rows, indent=1) if chosen.json else _format(rows))
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--rounds", type=int, default=8, help=f"rounds of {TASKS_PER_RATER} judgments for each side")
    parser.add_argument("--peer", type=Path, help="another checkout to compare with")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    return parser.parse_args()


def _measure_kind(sides: Sequence[Side], kind: str, rounds: int) -> list[dict[str, Any]]:
    costs: dict[str, list[Cost]] = {side.name: [] for side in sides}
    # The first round imports what requests need and fills caches.
    for number in range(rounds + 1):
        for side in sides:
            cost = asyncio.run(_measure_round(side, kind, Random(number)))  # noqa: S311 - clicks, not secrets
            if number:
                costs[side.name].append(cost)
    return [{"side": name, "kind": kind, **_summarize(of_side)} for name, of_side in costs.items()]


def _summarize(costs: Sequence[Cost]) -> dict[str, float]:
    fields = [asdict(cost) for cost in costs]
    return {name: round(median(one[name] for one in fields), 2) for name in fields[0]}


async def _measure_round(side: Side, kind: str, rng: Random) -> Cost:
    """Return the cost of a judgment, the mean of those of one new rater."""
    link, tally = side.links[kind], Tally()
    rater = Rater(Browser(link), "/" + link.split("/", 3)[3], tally, rng, 0.0, 0.0, float("inf"))
    page, path = await rater.open_link()
    while "data-task" not in page:
        page, path = await _go_on(rater, page, path)
    pids = (side.pid, side.cluster.read_pid())
    before, n_before = [count_cpu(pid) for pid in pids], _count_statements(side.cluster)
    for _ in range(TASKS_PER_RATER):
        page, path = await _go_on(rater, page, path)
    n_statements = _count_statements(side.cluster) - n_before - 1
    web, database = (1000 * (count_cpu(pid) - start) for pid, start in zip(pids, before, strict=True))
    rater.browser.close()
    if tally.n_judgments != TASKS_PER_RATER:
        raise SystemExit(f"{tally.n_judgments} judgments of {TASKS_PER_RATER} were stored: {tally.errors[:1]}")
    return Cost(web / TASKS_PER_RATER, database / TASKS_PER_RATER, n_statements / TASKS_PER_RATER)


async def _go_on(rater: Rater, page: str, path: str) -> tuple[str, str]:
    opened = await rater.go_on(page, path)
    if opened is None or not opened[0]:
        raise SystemExit(f"no way on from {path}: {rater.tally.errors[:1]}")
    return opened


def _count_statements(cluster: Cluster) -> int:
    import psycopg

    with psycopg.connect(cluster.url.replace("postgres://", "postgresql://")) as connection:
        row = connection.execute(_COUNT).fetchone()
    return int(row[0]) if row else 0


@contextmanager
def _serve(name: str, checkout: Path, folder: Path, kinds: Sequence[str]) -> Iterator[Side]:
    folder.mkdir()
    settings = ("max_connections=50", "shared_preload_libraries=pg_stat_statements")
    with make_cluster(settings) as cluster:
        environment = {**os.environ, "DATABASE_URL": cluster.url, "ACCORDANCE_VAR": str(folder)}
        environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(checkout)}
        environment["ACCORDANCE_JOINS_PER_MINUTE"] = environment["ACCORDANCE_NEWCOMERS_PER_ADDRESS"] = "0"
        make = [sys.executable, "-m", "benchmarks.studies.open_studies", str(N_TASKS), str(N_ITEMS), *kinds]
        ours = {**environment, "PYTHONPATH": str(ROOT)}
        made = subprocess.run(make, cwd=ROOT, env=ours, capture_output=True, text=True, check=True)
        port = find_free_port()
        command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "1", "--background", "0"]
        with run_server(command, cwd=checkout, env=environment, port=port, log=folder / "server.log") as pid:
            links = {
                kind: f"http://127.0.0.1:{port}/r/{token}/"
                for kind, token in zip(kinds, made.stdout.split(), strict=True)
            }
            yield Side(name, links, pid, cluster)


def _format(rows: Sequence[dict[str, Any]]) -> str:
    names = list(rows[0])
    table = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(names))]
    return "\n".join("  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in table)


if __name__ == "__main__":
    sys.exit(main())
