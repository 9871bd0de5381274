"""Rehearsals that were asked for on a page or through the API: played by a worker of the background."""

import subprocess
import tempfile
from datetime import datetime
from pathlib import Path

from django.utils import timezone
from django_tasks import task

from annotation_ui.rehearsal.outcomes import read_outcome
from annotation_ui.rehearsal.starting import run_in_copy
from studies.domain.auditing import Actor
from studies.domain.rehearsing import LIMIT, fail_rehearsal, finish_rehearsal, request_rehearsal, start_rehearsal
from studies.models import Rehearsal, Study

_TOO_LONG = "It took longer than {minutes:.0f} minutes and was ended. Let fewer raters come, or the clock run faster."
_PREFIX = "CommandError: "


def ask_for_rehearsal(
    study: Study, *, panel: str, raters: int, speed: float, seed: int, actor: Actor, now: datetime
) -> Rehearsal:
    """Ask for a rehearsal and put it into the queue; arguments and errors as in `request_rehearsal`."""
    asked = request_rehearsal(study, panel=panel, n_raters=raters, speed=speed, seed=seed, actor=actor, now=now)
    play_rehearsal.enqueue(asked.pk)
    return asked


@task()
def play_rehearsal(pk: int) -> None:
    """Play a rehearsal that waits, once, and keep what came of it or why nothing did."""
    rehearsal = start_rehearsal(pk)
    if rehearsal is None:
        return
    try:
        _play(rehearsal)
    except subprocess.TimeoutExpired:
        fail_rehearsal(rehearsal, _TOO_LONG.format(minutes=LIMIT.total_seconds() / 60), now=timezone.now())
    except Exception as error:
        # Nobody would ever hear of it otherwise: the page waits for an end.
        fail_rehearsal(rehearsal, f"Something unexpected broke it: {type(error).__name__}.", now=timezone.now())
        raise


def _play(rehearsal: Rehearsal) -> None:
    with tempfile.TemporaryDirectory(prefix="outcome-") as folder:
        out, errors = Path(folder) / "outcome.json", Path(folder) / "errors"
        arguments = [
            f"--panel={rehearsal.panel}",
            f"--raters={rehearsal.n_raters}",
            f"--speed={rehearsal.speed}",
            f"--seed={rehearsal.seed}",
            f"--out={out}",
        ]
        with errors.open("wb") as stderr, Path("/dev/null").open("wb") as nowhere:
            run_in_copy(rehearsal.study, arguments, stdout=nowhere, stderr=stderr, seconds=LIMIT.total_seconds())
        # It ends with an error, too, if a part did not end as the panel expects; the report says which.
        if out.exists():
            outcome = read_outcome(out)
            finish_rehearsal(rehearsal, report=outcome.report, answers=outcome.answers, now=timezone.now())
            return
        said = [line for line in errors.read_text(errors="replace").splitlines() if line.strip()]
        fail_rehearsal(rehearsal, _pick(said), now=timezone.now())


def _pick(lines: list[str]) -> str:
    """Return the line that says why it failed: the last but the command's own summary."""
    told = [line.removeprefix(_PREFIX) for line in lines if "did not end as it should" not in line]
    return told[-1] if told else "It ended without a word."
