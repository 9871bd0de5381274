"""Does faults to a Dask cluster while `manage.py score` runs on it: `python -m benchmarks.faults --data FOLDER`.

Each fault is done once a quarter of the chunks is stored. A command that stops is started again, up to three times.
Then the chunks in the database are counted, and their bytes compared with those of one process. Scheduler and workers
are started again two seconds after they end, as by the services in `deploy/`. With `--namespaces` (as root) each part
has a network namespace, which the faults of the network need; with `--environments` the scheduler and the workers run
in these virtual environments in turn. The exit status is 1 if a chunk is lost, stored twice, or differs in any bit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.places import ROOT, Place, add_place_arguments, choose_places
from benchmarks.running_cluster import RunningCluster, run_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.places import Namespace

STUDY: Final = "flickr8k-expert"
METRICS: Final = "bleu-4,cider-d,paused"
GIVEN_UP: Final = "kills"
CHUNK_SIZE: Final = 100
CHUNK_SECONDS: Final = 0.25
N_WORKERS: Final = 2
MOST_COMMANDS: Final = 3
_MEBIBYTE: Final = 2**20
_WORKER_MEMORY: Final = 1024
_LOOK_SECONDS: Final = 0.1


@dataclass
class Site:
    """An installation with a database, the cluster that it uses, and the command that scores."""

    folder: Path
    cluster: RunningCluster
    spaces: Sequence[Namespace]
    environment: Mapping[str, str]
    metrics: str
    cut_seconds: float
    process: subprocess.Popen[str] | None = None
    repair: threading.Timer | None = None

    def start(self) -> None:
        command = [sys.executable, "manage.py", "score", STUDY, "--metrics", self.metrics]
        command += ["--chunk-size", str(CHUNK_SIZE)]
        with (self.folder / "score.log").open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, text=True)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def cut(self, number: int) -> None:
        """Pull out the cable of the scheduler (0) or a worker; a thread plugs it in again after `cut_seconds`."""
        space = self.spaces[number]
        space.set_cable(is_plugged=False)
        self.repair = threading.Timer(self.cut_seconds, partial(space.set_cable, is_plugged=True))
        self.repair.start()


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, as a row of the table.

    Attributes:
        title: What happens; `{seconds}` stands for the time without a network.
        do: Does it.
        metrics: What is scored.
        needs_namespaces: Whether each part needs a network namespace.
    """

    title: str
    do: Callable[[Site], object] = lambda _: None
    metrics: str = METRICS
    needs_namespaces: bool = False


def _kill_workers(site: Site) -> None:
    for number in range(N_WORKERS):
        site.cluster.kill_worker_process(number)


FAULTS: Final[Mapping[str, Fault]] = {
    "none": Fault("none"),
    "worker": Fault("a worker killed (SIGKILL)", lambda site: site.cluster.kill_worker_process(0)),
    "memory": Fault("a worker out of memory", lambda site: (site.folder.parent / "take-memory").touch()),
    "workers": Fault("all workers killed", _kill_workers),
    "scheduler": Fault("the scheduler killed and restarted", lambda site: site.cluster.kill_scheduler()),
    "worker-network": Fault(
        "a worker's network cut for {seconds:g} s", lambda site: site.cut(1), needs_namespaces=True
    ),
    "network": Fault("the scheduler's network cut for {seconds:g} s", lambda site: site.cut(0), needs_namespaces=True),
    "command": Fault("the command killed and repeated", Site.kill),
    "metric": Fault("a metric that kills every worker", metrics=f"bleu-4,{GIVEN_UP},cider-d,paused"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the command with a fault gave.

    Attributes:
        fault: A key of `FAULTS`.
        cut_seconds: How long the network was cut, for faults of the network.
        seconds: From the start of the command to the end of the last one.
        n_commands: How often the command was started.
        n_lost: Chunks of metrics that are not given up, and are not in the database.
        n_twice: Chunks that are in the database more than once.
        n_repeated: Chunks that were computed more than once.
        is_equal: Whether the bytes of all scores are those of one process.
    """

    fault: str
    cut_seconds: float
    seconds: float
    n_commands: int
    n_lost: int
    n_twice: int
    n_repeated: int
    is_equal: bool

    @property
    def is_good(self) -> bool:
        return self.is_equal and not self.n_lost and not self.n_twice


Chunks = list[tuple[str, int, str]]


def read_chunks(folder: Path) -> Chunks:
    """Return (signature, index, digest of scores) of each chunk in a database, without those of the given-up metric."""
    query = (
        'SELECT signature, chunk."index", chunk."values" FROM studies_scorechunk chunk '
        "JOIN studies_run run ON run.id = chunk.run_id ORDER BY 1, 2"
    )
    with closing(sqlite3.connect(folder / "db.sqlite3", timeout=30)) as connection:
        rows = connection.execute(query).fetchall()
    return [
        (signature, index, hashlib.sha256(values).hexdigest())
        for signature, index, values in rows
        if not signature.startswith(GIVEN_UP)
    ]


def count_chunks(folder: Path) -> int:
    """Return the number of chunks in a database, without those of the given-up metric."""
    query = (
        "SELECT count(*) FROM studies_scorechunk chunk JOIN studies_run run ON run.id = chunk.run_id "
        "WHERE signature NOT LIKE ?"
    )
    with closing(sqlite3.connect(folder / "db.sqlite3", timeout=30)) as connection:
        return int(connection.execute(query, [f"{GIVEN_UP}%"]).fetchone()[0])


def make_environment(folder: Path, **changes: str) -> dict[str, str]:
    """Return the environment of an installation that keeps everything in a folder, and the plugin beside it."""
    return {
        "PATH": os.environ["PATH"],
        "ACCORDANCE_VAR": str(folder),
        "ACCORDANCE_PLUGINS": str(folder.parent / "plugins"),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "FAULTS_FOLDER": str(folder.parent),
        "FAULTS_SECONDS": "0",
        **changes,
    }


def prepare(folder: Path, data: Path) -> Chunks:
    """Make an installation with the study and the plugin; return the chunks that one process stores there."""
    for name in ("plugins", "computed", "template"):
        (folder / name).mkdir()
    shutil.copy(Path(__file__).with_name("faulty_metrics.py"), folder / "plugins")
    template, reference = folder / "template", folder / "reference"
    for arguments in (["migrate", "-v0"], ["import_data", STUDY, "--from", str(data / "flickr8k")]):
        _manage(*arguments, environment=make_environment(template))
    shutil.copytree(template, reference)
    environment = make_environment(reference, ACCORDANCE_EXECUTOR="inline")
    _manage("score", STUDY, "--metrics", METRICS, "--chunk-size", str(CHUNK_SIZE), environment=environment)
    return read_chunks(reference)


def _manage(*arguments: str, environment: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def start_cluster(folder: Path, places: Sequence[Place]) -> Iterator[RunningCluster]:
    """Run the cluster of all runs, whose parts are started again when they end."""
    (folder / "cluster").mkdir()
    variables = {
        "FAULTS_FOLDER": str(folder),
        "FAULTS_SECONDS": str(CHUNK_SECONDS),
        "FAULTS_MEMORY": str(_WORKER_MEMORY * _MEBIBYTE),
    }
    options = ["--memory-limit", f"{_WORKER_MEMORY}MiB"]
    with run_cluster(
        folder / "cluster", n_workers=N_WORKERS, places=places, options=options, variables=variables, is_kept=True
    ) as cluster:
        yield cluster


def run_fault(
    name: str,
    folder: Path,
    *,
    cluster: RunningCluster,
    spaces: Sequence[Namespace],
    cut_seconds: float,
    expected: Chunks,
) -> Outcome:
    """Score in a new installation, do a fault, repeat the command until it is complete, and count what is stored."""
    fault = FAULTS[name]
    home = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=folder))
    shutil.copytree(folder / "template", home, dirs_exist_ok=True)
    for path in (folder / "computed").iterdir():
        path.unlink()
    cluster.wait_for_workers(N_WORKERS)
    environment = make_environment(home, ACCORDANCE_EXECUTOR="dask", ACCORDANCE_DASK=cluster.address)
    site = Site(home, cluster, spaces, environment, fault.metrics, cut_seconds)
    started = time.perf_counter()
    site.start()
    _wait_for_chunks(site, len(expected) // 4)
    fault.do(site)
    n_commands = _finish(site, len(expected))
    seconds = time.perf_counter() - started
    if site.repair:
        site.repair.join()
    found = read_chunks(home)
    computed = [path.name.split(" ")[0] for path in (folder / "computed").iterdir()]
    return Outcome(
        fault=name,
        cut_seconds=cut_seconds if fault.needs_namespaces else 0.0,
        seconds=seconds,
        n_commands=n_commands,
        n_lost=len({each[:2] for each in expected} - {each[:2] for each in found}),
        n_twice=len(found) - len({each[:2] for each in found}),
        n_repeated=len(computed) - len(set(computed)),
        is_equal=found == expected,
    )


def _wait_for_chunks(site: Site, n_chunks: int) -> None:
    while count_chunks(site.folder) < n_chunks:
        if site.process is None or site.process.poll() is not None:
            raise SystemExit(f"the command ended before the fault: {(site.folder / 'score.log').read_text()[-2000:]}")
        time.sleep(_LOOK_SECONDS)


def _finish(site: Site, n_chunks: int) -> int:
    """Wait for the command, and start it again while chunks are missing; return how often it was started."""
    for n_commands in range(1, MOST_COMMANDS + 1):
        if site.process is not None:
            site.process.wait()
        if count_chunks(site.folder) >= n_chunks:
            break
        if n_commands < MOST_COMMANDS:
            site.start()
    return n_commands


def tabulate(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of a table in Markdown, with a row for each fault."""
    yield (
        "| fault | runs | chunks lost | stored twice | equal bytes | computed again | commands | seconds to completion "
        "| longer than without |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    usual = statistics.median([each.seconds for each in outcomes if each.fault == "none"] or [0.0])
    for key in dict.fromkeys((name, each.cut_seconds) for name in FAULTS for each in outcomes if each.fault == name):
        runs = [each for each in outcomes if (each.fault, each.cut_seconds) == key]
        times = [each.seconds for each in runs]
        cells = [
            FAULTS[key[0]].title.format(seconds=key[1]),
            str(len(runs)),
            str(sum(each.n_lost for each in runs)),
            str(sum(each.n_twice for each in runs)),
            f"{sum(each.is_equal for each in runs)} of {len(runs)}",
            _tell_range([each.n_repeated for each in runs], digits=0),
            _tell_range([each.n_commands for each in runs], digits=0),
            _tell_range(times, digits=1),
            "" if key[0] == "none" or not usual else f"{statistics.median(times) - usual:.1f} s",
        ]
        yield f"| {' | '.join(cells)} |"


def _tell_range(values: Sequence[float], *, digits: int) -> str:
    low, high = min(values), max(values)
    told = f"{statistics.median(values):.{digits}f}"
    return told if low == high else f"{told} ({low:.{digits}f} to {high:.{digits}f})"


def main() -> int:
    parser = argparse.ArgumentParser(description="Do faults to a Dask cluster while a study is scored on it.")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="folder with the folder flickr8k")
    parser.add_argument("--runs", type=int, default=5, help="how often each fault is done (default: %(default)s)")
    parser.add_argument("--faults", default=",".join(FAULTS), metavar="A,B", help="default: %(default)s")
    parser.add_argument("--cut-seconds", type=float, default=60.0, help="time without a network (default: %(default)g)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="append outcomes to a file, and tabulate all of it")
    add_place_arguments(parser)
    chosen = parser.parse_args()
    outcomes: list[Outcome] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places, spaces = choose_places(chosen, n_workers=N_WORKERS, stack=stack)
        faults = [name for name in chosen.faults.split(",") if spaces or not FAULTS[name].needs_namespaces]
        expected = prepare(folder, chosen.data)
        cluster = stack.enter_context(start_cluster(folder, places))
        for name in faults * chosen.runs:
            outcome = run_fault(
                name, folder, cluster=cluster, spaces=spaces, cut_seconds=chosen.cut_seconds, expected=expected
            )
            print(json.dumps(asdict(outcome)), file=sys.stderr, flush=True)
            outcomes.append(outcome)
            if chosen.keep:
                with chosen.keep.open("a") as file:
                    file.write(json.dumps(asdict(outcome)) + "\n")
    if chosen.keep:
        outcomes = [Outcome(**json.loads(line)) for line in chosen.keep.read_text().splitlines()]
    print("\n".join(tabulate(outcomes)))
    return 0 if all(each.is_good for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
