"""Times raters' pages under load: `python -m benchmarks.studies.raters [--raters 300] [--potato VENV] [--json]`.

Simulated raters do pairwise tasks over HTTP: for each task they load the page, think for some time, and submit an
answer. Our side is the command `serve` with two processes and a PostgreSQL server; every answer is on disk before it is
acknowledged. The peer is Potato (pip install potato-annotation, in a separate environment), which has one process and
keeps answers in memory and files, with the same pairs, the same thinking time, and the requests of its own page (save
the answer, go on, show the next). `--ramp` doubles our raters until the 95th percentile is above 300 ms.

Response times depend on other work on the machine, so the load average at the start is printed. CPU seconds per
judgment hardly do, and are printed for both.
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
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from benchmarks.studies.scripted_raters import Browser, Rater, Tally, summarize  # noqa: E402
from tests.postgres import find_free_port, make_cluster  # noqa: E402

N_TASKS, RATERS_PER_TASK, LIMIT_MS = 4000, 11, 300.0
WARM_SECONDS = 15.0


def main() -> int:
    """Run both sides and print the measurements; return 1 if a request to our side failed."""
    chosen = _parse_arguments()
    rows = []
    with TemporaryDirectory() as folder:
        with serve_ours(Path(folder)) as (url, pid):
            n_raters = chosen.raters
            while True:
                rows.append(_measure("Accordance", url, pid, Rater, n_raters, chosen))
                if not chosen.ramp or rows[-1]["p95_ms"] > LIMIT_MS or rows[-1]["errors"]:
                    break
                n_raters *= 2
        if chosen.potato:
            with serve_potato(Path(folder), chosen.potato) as (url, pid):
                rows.append(_measure("Potato", url, pid, PotatoRater, chosen.raters, chosen))
    print(json.dumps(rows, indent=1) if chosen.json else _format(rows))
    return 1 if any(row["errors"] for row in rows if row["side"] == "Accordance") else 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--raters", type=int, default=300)
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds between a page and its answer")
    parser.add_argument("--seconds", type=float, default=60.0, help="measured time, after all have come in")
    parser.add_argument("--ramp", action="store_true", help="double the raters until pages are slow")
    parser.add_argument("--potato", type=Path, help="virtual environment with potato-annotation")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    return parser.parse_args()


@contextmanager
def serve_ours(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a study of pairs; yield its link and the server's process id."""
    with make_cluster(("max_connections=100",)) as cluster:
        environment = {**os.environ, "DATABASE_URL": cluster.url, "ACCORDANCE_VAR": str(folder)}
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        # No limits by address, because all raters come from this machine.
        environment["ACCORDANCE_JOINS_PER_MINUTE"] = environment["ACCORDANCE_NEWCOMERS_PER_ADDRESS"] = "0"
        make = [sys.executable, "-m", "tests.studies.collection.assignment.large", str(N_TASKS), str(RATERS_PER_TASK)]
        made = subprocess.run(make, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        port = find_free_port()
        command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "2"]
        with run_server(command, cwd=ROOT, env=environment, port=port) as pid:
            yield f"http://127.0.0.1:{port}/r/{made.stdout.strip()}/", pid


@contextmanager
def serve_potato(folder: Path, environment: Path) -> Iterator[tuple[str, int]]:
    """Serve the same pairs with Potato; yield its address and process id."""
    items = [
        {"id": f"pair-{number}", "texts": [f"Caption {number} by large-first.", f"Caption {number} by large-second."]}
        for number in range(N_TASKS)
    ]
    (folder / "pairs.json").write_text("\n".join(map(json.dumps, items)) + "\n")
    scheme = {
        "annotation_type": "pairwise",
        "name": "better",
        "description": "Which caption describes the image better?",
        "items_key": "texts",
        "allow_tie": True,
    }
    config = {
        "annotation_task_name": "pairs",
        "task_dir": str(folder),
        "output_annotation_dir": str(folder / "output"),
        "data_files": ["pairs.json"],
        "item_properties": {"id_key": "id", "text_key": "texts"},
        "annotation_schemes": [scheme],
        "require_password": False,
        "user_config": {"allow_all_users": True, "users": []},
        "max_annotations_per_item": RATERS_PER_TASK,
        "assignment_strategy": "random",
        "secret_key": "benchmark",
    }
    # JSON is valid YAML.
    (folder / "config.yaml").write_text(json.dumps(config))
    port = find_free_port()
    command = [str(environment / "bin" / "potato"), "start", str(folder / "config.yaml"), "-p", str(port)]
    log = folder / "server.log"
    with run_server(command, cwd=folder, env=dict(os.environ), port=port, log=log) as pid:
        yield f"http://127.0.0.1:{port}/", pid


@contextmanager
def run_server(
    command: list[str], *, cwd: Path, env: dict[str, str], port: int, log: Path = Path(os.devnull)
) -> Iterator[int]:
    """Run a server, wait until it answers at the port, and yield its process id; stop it afterwards."""
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=cwd, env=env, start_new_session=True, stdout=output, stderr=output)
    try:
        asyncio.run(wait_for(port, process))
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


async def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers. Raises SystemExit if it ends before."""
    until = time.monotonic() + 240
    while time.monotonic() < until and process.poll() is None:
        try:
            await Browser(f"http://127.0.0.1:{port}/").send("GET", "/")
        except (OSError, EOFError):
            await asyncio.sleep(0.5)
        else:
            return
    raise SystemExit(f"nothing answers at port {port}; the server said why in its log")


class PotatoRater(Rater):
    """A rater of Potato, who logs in by name, then saves an answer and goes on, as its page does."""

    async def work(self) -> None:
        name = f"rater-{self.rng.getrandbits(48)}"
        await self._try("POST", "/auth", {"email": name, "pass": ""}, kind=None)
        status, _, page = await self._try("GET", "/annotate", None, kind=None)
        while status == 200 and time.monotonic() < self.until:
            found = re.search(r'id="instance_id"[^>]*value="([^"]+)"', page) or re.search(
                r'value="([^"]+)"[^>]*id="instance_id"', page
            )
            if found is None:
                self.tally.n_done += 1
                return
            await asyncio.sleep(self.think * (0.5 + self.rng.random()))
            answer = {"instance_id": found.group(1), "annotations": {"better:::selection": self.rng.choice("AB")}}
            status = (await self._try("POST", "/updateinstance", json.dumps(answer), kind="submit"))[0]
            if status != 200:
                break
            self.tally.n_judgments += 1
            status, location, page = await self._try(
                "POST", "/annotate", json.dumps({"action": "next_instance"}), kind="show"
            )
            if location:
                status, _, page = await self._try("GET", "/annotate", None, kind="show")
        if status != 200:
            self.tally.errors.append(f"status {status}")


def _measure(
    side: str, url: str, pid: int, kind: type[Rater], n_raters: int, chosen: argparse.Namespace
) -> dict[str, Any]:
    load, before = os.getloadavg()[0], count_cpu(pid)
    tally = asyncio.run(_let_work(url, kind, n_raters, think=chosen.think, seconds=chosen.seconds))
    summary = summarize(tally, seconds=chosen.seconds)
    cpu = count_cpu(pid) - before
    # Requests during the ramp need CPU time too, so it is divided by all requests of the run.
    return {"side": side, "raters": n_raters, "load": round(load, 1), "cpu_s": round(cpu, 1), **summary}


async def _let_work(url: str, kind: type[Rater], n_raters: int, *, think: float, seconds: float) -> Tally:
    tally, began = Tally(), time.monotonic()
    path = "/" + url.split("/", 3)[3]

    async def come(number: int) -> None:
        await asyncio.sleep(WARM_SECONDS * number / n_raters)
        rng = Random(n_raters * 10_000 + number)  # noqa: S311 - clicks, not secrets
        browser = Browser(url)
        try:
            await kind(browser, path, tally, rng, think, 0.0, began + WARM_SECONDS + seconds).work()
        finally:
            browser.close()

    async def forget_warming() -> None:
        await asyncio.sleep(WARM_SECONDS)
        tally.seconds, tally.n_judgments = {"show": [], "submit": []}, 0

    await asyncio.gather(forget_warming(), *(come(number) for number in range(n_raters)))
    return tally


def count_cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants, also of those that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    # Of the process in user and kernel mode, and of its children that have ended.
    ticks = sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK") + sum(count_cpu(int(child)) for child in children)


def _format(rows: list[dict[str, Any]]) -> str:
    names = ["side", "raters", "judgments_per_second", "p50_ms", "p95_ms", "p99_ms", "errors", "cpu_s", "load"]
    table = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(names))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in table]
    errors = [f"{row['side']}: {error}" for row in rows for error in row["first_errors"]]
    return "\n".join([*lines, *errors])


if __name__ == "__main__":
    sys.exit(main())
