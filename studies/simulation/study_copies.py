"""Copies of a study, without its raters, each in a separate process and database."""

import hashlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from django.core import serializers
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Model, Q

from jobs.worker.command_lines import make_command_line
from jobs.worker.system import make_end_with
from metrics_plugins.runtime.sandbox import environment as sandbox_environment
from studies.design.study_design import Panel, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind, RaterOutcome, StudyState
from studies.models import Candidate, CaptionSet, Image, Item, Reference, Study, StudyVersion, System, Task
from studies.simulation.browser import HOST

IN_COPY: Final = "ACCORDANCE_SIMULATION"
"""The environment variable with the file of the study, set only for the process of the copy."""
_DATABASE: Final = "sqlite://:memory:"
_KEPT: Final = sandbox_environment.KEPT | {
    "PYTHONPATH",
    "DJANGO_SETTINGS_MODULE",
    "DEBUG",
    "ACCORDANCE_VAR",
    "ACCORDANCE_AMT_ORIGINS",
    "ACCORDANCE_HONEYPOT",
}
_CODES: Final = {
    RaterOutcome.FINISHED: "FINISHED",
    RaterOutcome.NO_TASKS: "NOTASKS",
    RaterOutcome.CUT_SHORT: "CUTSHORT",
    RaterOutcome.LEFT: "LEFTEARLY",
    RaterOutcome.NOT_QUALIFIED: "SCREENEDOUT",
    RaterOutcome.DECLINED: "NOCONSENT",
}


class NotACopy(Exception):
    """The database of this process is permanent, so simulated raters may not use it."""


def run_in_copy(
    study: Study,
    arguments: Sequence[str],
    *,
    stdout: IO[bytes] | None = None,
    stderr: IO[bytes] | None = None,
    seconds: float | None = None,
) -> int:
    """Run `manage.py simulate STUDY ARGUMENTS` in a process with a copy of the study; return its exit status.

    The database of that process is in its memory. Images are read from their usual folder.

    Args:
        study: The draft.
        arguments: The arguments of the command.
        stdout, stderr: The files for its output; by default those of this process.
        seconds: The time limit; by default none.

    Raises:
        subprocess.TimeoutExpired: It took longer and was killed.
    """
    with tempfile.TemporaryDirectory(prefix="simulation-") as folder:
        rows = Path(folder) / "study.json"
        rows.write_text(export_study(study), encoding="utf-8")
        # No shell, and no arguments from outside. It ends with this process.
        return subprocess.run(  # noqa: S603
            make_command_line("simulate", study.name, *arguments),
            env=make_environment(os.environ, rows=rows),
            stdout=stdout,
            stderr=stderr,
            timeout=seconds,
            check=False,
            preexec_fn=make_end_with(os.getpid(), signal.SIGTERM),
        ).returncode


def make_environment(own: Mapping[str, str], *, rows: Path) -> dict[str, str]:
    """Return the environment of the process of a copy: what programs and its pages need, and no secrets.

    Args:
        own: The environment of this process.
        rows: The file with the study.
    """
    return {
        **{name: value for name, value in own.items() if name in _KEPT},
        "DATABASE_URL": _DATABASE,
        # Studies of the server may have the same primary keys.
        "CACHE_URL": "locmemcache://",
        "SECRET_KEY": "of a simulation",
        "ACCORDANCE_IDENTITY_KEY": "of a simulation",
        "HTTPS": "false",
        "ALLOWED_HOSTS": HOST,
        # All simulated raters have one address, and arrive within little real time.
        "ACCORDANCE_JOINS_PER_MINUTE": "0",
        "ACCORDANCE_NEWCOMERS_PER_ADDRESS": "0",
        IN_COPY: str(rows),
    }


def load_copy(rows: Path) -> None:
    """Load the output of `export_study` into the database of this process, which is empty and temporary.

    Raises:
        NotACopy: The database is not in memory.
    """
    if connection.vendor != "sqlite" or not connection.is_in_memory_db():
        raise NotACopy(
            f"{IN_COPY} is set, but the database is not one in memory: simulated raters must not be stored in it"
        )
    call_command("migrate", verbosity=0)
    call_command("loaddata", str(rows), verbosity=0)


def export_study(study: Study) -> str:
    """Return a study as JSON for `loaddata`: a draft without owner, raters or judgments."""
    return serializers.serialize("json", _list_rows(study))


def _list_rows(study: Study) -> Iterator[Model]:
    items = Item.objects.filter(task__study=study)
    sets = CaptionSet.objects.filter(pk__in=items.values("caption_set"))
    judged = Q(pk__in=items.values("candidate")) | Q(pk__in=items.values("other_candidate")) | Q(caption_set__in=sets)
    candidates = Candidate.objects.filter(judged)
    yield study.dataset
    yield from System.objects.filter(dataset=study.dataset)
    yield from Image.objects.filter(pk__in=items.values("image"))
    # Raters see only anchors, but the artificial qualities depend on all references.
    yield from Reference.objects.filter(image__in=items.values("image"))
    # Include the sets of single candidates, since their rows refer to them.
    yield from CaptionSet.objects.filter(Q(pk__in=sets) | Q(pk__in=candidates.values("caption_set")))
    for candidate in candidates:
        candidate.author = None
        yield candidate
    study = Study.objects.get(pk=study.pk)
    study.owner, study.state, study.started_at = None, StudyState.DRAFT, None
    study.pilot_of = study.simulation_of = None
    study.is_simulated = False
    # Repeatable, and reveals nothing about the seed of the study.
    study.seed = hashlib.sha256(f"rehearsal/{study.seed}".encode()).hexdigest()
    yield study
    yield _copy_version(study)
    yield from Task.objects.filter(study=study)
    yield from items


def _copy_version(study: Study) -> StudyVersion:
    version = load_newest_version(study)
    version.created_by = None
    # Only the real panel could sign the addresses.
    version.design["panel"] = {**version.design.get("panel", {}), "is_signed": False, "signing_secret": ""}
    return version


@transaction.atomic
def choose_panel(study: Study, kind: str) -> None:
    """Give the copy another panel, with a code for every outcome; do nothing if the design has this panel."""
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
