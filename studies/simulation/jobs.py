"""The background job that runs simulations requested on a page or through the API."""

import subprocess
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Final

from django.db import transaction

from jobs.errors import JobRefused, WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import request_job
from jobs.running_job import JobHandle
from studies.access.audit import Actor
from studies.models import Simulation, Study
from studies.simulation.outcomes import SimulationOutcome, read_outcome
from studies.simulation.study_copies import run_in_copy
from studies.simulation.trials import (
    LIMIT,
    CannotSimulate,
    fail_simulation,
    finish_simulation,
    request_simulation,
    start_simulation,
)

_TOO_LONG = "It took longer than {minutes:.0f} minutes and was stopped. Use fewer raters."
_PREFIX = "CommandError: "


def ask_for_simulation(study: Study, *, panel: str, raters: int, seed: int, actor: Actor, now: datetime) -> Simulation:
    """Store and queue a simulation; arguments and errors as for `request_simulation`."""
    with transaction.atomic():
        asked = request_simulation(study, panel=panel, n_raters=raters, seed=seed, actor=actor, now=now)
        try:
            request_job(SIMULATE, account=actor.user, key=str(asked.pk), payload={"simulation": asked.pk}, now=now)
        except JobRefused as refusal:
            raise CannotSimulate(f"{str(refusal)[:1].upper()}{str(refusal)[1:]}.") from refusal
    return asked


def _play(handle: JobHandle) -> None:
    simulation = start_simulation(handle.payload["simulation"])
    if simulation is None:
        raise WorkFailed("the simulation no longer exists")
    handle.report("Simulated raters are working.")
    try:
        with tempfile.TemporaryDirectory(prefix="outcome-") as folder:
            outcome = _play_in(Path(folder), simulation)
    except subprocess.TimeoutExpired as error:
        raise WorkFailed(_TOO_LONG.format(minutes=LIMIT.total_seconds() / 60)) from error
    with transaction.atomic():
        finish_simulation(simulation, report=outcome.report, answers=outcome.answers, now=handle.now())
        handle.finish()


def _play_in(folder: Path, simulation: Simulation) -> SimulationOutcome:
    out, errors = folder / "outcome.json", folder / "errors"
    arguments = [
        f"--panel={simulation.panel}",
        f"--raters={simulation.n_raters}",
        f"--seed={simulation.seed}",
        f"--out={out}",
    ]
    with errors.open("wb") as stderr, Path("/dev/null").open("wb") as nowhere:
        run_in_copy(simulation.study, arguments, stdout=nowhere, stderr=stderr, seconds=LIMIT.total_seconds())
    # The command also fails if an outcome is unexpected, which the report describes.
    if not out.exists():
        said = [line for line in errors.read_text(errors="replace").splitlines() if line.strip()]
        raise WorkFailed(_pick(said))
    return read_outcome(out)


def _end(job: Job) -> None:
    if job.finished_at is not None:
        fail_simulation(job.payload["simulation"], job.problem, now=job.finished_at)


def _pick(lines: list[str]) -> str:
    """Return the line with the reason of a failure: the last one except the summary of the command."""
    told = [line.removeprefix(_PREFIX) for line in lines if "did not end as expected" not in line]
    return told[-1] if told else "It ended without an error message."


SIMULATE: Final = register(
    Kind(
        name="simulate",
        title="Simulating the study",
        lane="simulations",
        work=_play,
        # The limit of the copy is reached first and has its own message.
        seconds=LIMIT.total_seconds() + 300.0,
        most_tries=2,
        on_end=_end,
    )
)
