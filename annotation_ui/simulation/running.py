"""A whole simulation: the server, the raters, and what came of it. Runs in the copy's own process and database."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from django.db import connections

from annotation_ui.simulation.clock import read_fast_clock
from annotation_ui.simulation.panels import PlayedPanel, receive_assignments
from annotation_ui.simulation.perceiving import Perception, make_qualities
from annotation_ui.simulation.raters import PATTERN, ScriptedRater, SimulatedVisit
from annotation_ui.simulation.reporting import SimulationReport, report_simulation
from jobs.system import make_end_with
from studies.collection.arrival.inviting import invite
from studies.collection.assigning import expire_leases
from studies.collection.lifecycle import open_study
from studies.design.design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind
from studies.models import Study

AT_ONCE: Final = 8
TASK_SECONDS: Final = 20.0
"""What a task takes if the design does not say."""


def simulate(study: Study, *, n_raters: int, speed: float, seed: int) -> SimulationReport:
    """Open the study, let scripted raters work at a real server, and report what a researcher would get and pay.

    Args:
        study: A draft in a database of its own, which nobody else uses.
        n_raters: How many come.
        speed: How many times as fast the clock runs.
        seed: Fixes who comes how, and what they answer. Which task goes to whom depends on who is first.
    """
    since = datetime.now(tz=UTC)
    open_study(study, now=since)
    design = StudyDesign.from_json(load_newest_version(study).design)
    played = _play_panel(study, design, n_raters=n_raters, now=since)
    hand_in = receive_assignments(played) if design.panel.kind == PanelKind.AMT else None
    try:
        with _serve(speed=speed, since=since, origin=played.host) as address:
            visits = _let_work(
                study,
                design,
                played,
                n_raters=n_raters,
                speed=speed,
                seed=seed,
                link=f"{address}/r/{study.join_token}/",
            )
    finally:
        if hand_in:
            hand_in.shutdown()
    end = read_fast_clock(datetime.now(tz=UTC), factor=speed, since=since)
    # Whoever vanished holds a task until its time is over.
    expire_leases(study_id=study.pk, now=end + timedelta(minutes=design.lease_minutes))
    return report_simulation(study, design, visits, minutes=(end - since).total_seconds() / 60)


def _play_panel(study: Study, design: StudyDesign, *, n_raters: int, now: datetime) -> PlayedPanel:
    if design.panel.kind != PanelKind.IN_HOUSE:
        return PlayedPanel(design.panel)
    people = [f"person {number}" for number in range(n_raters)]
    invited = invite(study, people, now=now)
    return PlayedPanel(design.panel, invitations=tuple(one.token for one in invited))


def _let_work(
    study: Study,
    design: StudyDesign,
    played: PlayedPanel,
    *,
    n_raters: int,
    speed: float,
    seed: int,
    link: str,
) -> Sequence[SimulatedVisit]:
    qualities = make_qualities(study, seed=seed)

    def work(number: int) -> SimulatedVisit:
        rater = ScriptedRater(
            number,
            behaviour=PATTERN[number % len(PATTERN)],
            link=link,
            played=played,
            task_seconds=float(design.task_seconds or TASK_SECONDS),
            speed=speed,
            rng=Random(f"{seed}/{number}"),  # noqa: S311 - the same simulation again
            perception=Perception.draw(qualities, seed=seed, number=number),
        )
        try:
            return rater.work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(work, range(n_raters)))


@contextmanager
def _serve(*, speed: float, since: datetime, origin: str) -> Iterator[str]:
    """Run the real server on this database, by the fast clock; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "ACCORDANCE_SIMULATION_SPEED": str(speed),
        "ACCORDANCE_SIMULATION_SINCE": since.isoformat(),
        # All scripted raters come from this machine, and their minutes are short.
        "ACCORDANCE_JOINS_PER_MINUTE": "0",
        "ACCORDANCE_NEWCOMERS_PER_ADDRESS": "0",
        **({"ACCORDANCE_AMT_ORIGINS": origin} if origin else {}),
    }
    options = ["--bind", f"127.0.0.1:{port}", "--workers", "2", "--worker-class", "gthread", "--threads", "8"]
    command = [sys.executable, "-m", "gunicorn", "annotation_ui.simulation.wsgi:application", *options]
    # Nothing but our own arguments gets here, and no shell is in between.
    server = subprocess.Popen(  # noqa: S603
        [*command, "--log-level", "warning"],
        env=environment,
        preexec_fn=make_end_with(os.getpid(), signal.SIGTERM),
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError(f"the server of the simulation ended with status {server.returncode}")
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - our own server
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server of the simulation did not start within a minute")
