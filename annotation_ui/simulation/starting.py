"""Puts a copy of a study into a database of its own and starts a process there that simulates it."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from django.conf import settings
from django.db import transaction

from annotation_ui.simulation.copying import export_study
from jobs.system import make_end_with
from studies.design.design import Panel, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind, RaterOutcome
from studies.models import Study, StudyVersion

IN_COPY: Final = "ACCORDANCE_SIMULATION"
"""Set for the processes of the copy only: no argument given by mistake lets scripted raters into a real database."""

_CODES: Final = {
    RaterOutcome.FINISHED: "FINISHED",
    RaterOutcome.NO_TASKS: "NOTASKS",
    RaterOutcome.CUT_SHORT: "CUTSHORT",
    RaterOutcome.LEFT: "LEFTEARLY",
    RaterOutcome.NOT_QUALIFIED: "SCREENEDOUT",
    RaterOutcome.DECLINED: "NOCONSENT",
}


def run_in_copy(
    study: Study,
    arguments: Sequence[str],
    *,
    stdout: IO[bytes] | None = None,
    stderr: IO[bytes] | None = None,
    seconds: float | None = None,
) -> int:
    """Run `manage.py simulate STUDY ARGUMENTS` where there is nothing but a copy; return its status.

    The copy is a SQLite file in a folder that is deleted in the end, whatever the database of the study is. Images
    are read from where they are.

    Args:
        study: The draft.
        arguments: Of the command.
        stdout, stderr: Where its output goes; by default that of this process.
        seconds: How long each step may take; by default for ever.

    Raises:
        subprocess.TimeoutExpired: A step took longer, and was ended with all that it had started.
    """
    with tempfile.TemporaryDirectory(prefix="simulation-") as folder:
        rows = Path(folder) / "study.json"
        rows.write_text(export_study(study), encoding="utf-8")
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "SECRET_KEY": settings.SECRET_KEY,
            "ACCORDANCE_IDENTITY_KEY": "of a simulation",
            "HTTPS": "false",
            "ALLOWED_HOSTS": "127.0.0.1",
            IN_COPY: "1",
        }
        for command in (
            ["migrate", "--verbosity", "0"],
            ["loaddata", "--verbosity", "0", str(rows)],
            ["simulate", study.name, *arguments],
        ):
            # Nothing but our own arguments gets here, and no shell is in between. What it starts ends with it.
            done = subprocess.run(  # noqa: S603
                [sys.executable, "manage.py", *command],
                env=environment,
                cwd=settings.BASE_DIR,
                stdout=stdout,
                stderr=stderr,
                timeout=seconds,
                check=False,
                preexec_fn=make_end_with(os.getpid(), signal.SIGTERM),
            )
            if done.returncode:
                return done.returncode
    return 0


@transaction.atomic
def choose_panel(study: Study, kind: str) -> None:
    """Give the copy another panel, with a code for every outcome; nothing changes if it is the design's own."""
    version = load_newest_version(study)
    design = StudyDesign.from_json(version.design)
    if design.panel.kind == kind:
        return
    ways = {"return_url": "https://panel.example/done?code={code}"} if kind == PanelKind.GENERIC else {}
    panel = Panel(kind=PanelKind(kind), codes=_CODES, **ways)
    changed = replace(design, panel=panel, retention_days=design.retention_days or 1)
    StudyVersion.objects.create(
        study=study, number=version.number + 1, design=changed.to_json(), created_at=version.created_at
    )
