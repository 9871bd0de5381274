"""The bundle of a report as an open file: made in the request for a small study, and by a job for a large one.

The file that a job has made is kept for an hour, where all servers find it, and handed out only while the study is as
it was.
"""

import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO, Final

from django.conf import settings

from jobs.enums import JobState
from jobs.errors import WorkFailed
from jobs.models import Job
from jobs.registry import register
from jobs.requests import find_job, request_job
from jobs.running_job import JobHandle
from studies.access.audit import Actor, record_change
from studies.analysis.cached_results import StudyInputs
from studies.enums import AuditAction
from studies.models import AuditEntry, FrozenReport
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.making import make_bundle
from studies.publishing.report_jobs import REPORT
from studies.storage.kept_files import KeptFiles, find_kept_files

KEPT: Final = timedelta(hours=1)
_AT_ONCE: Final = 2**20
_NO_CHANGE: Final = (AuditAction.EXPORTED, AuditAction.COMMENTED, AuditAction.COMMENT_DELETED)
"""Actions after which a bundle has the same content."""


def open_bundle(frozen: FrozenReport, *, actor: Actor, now: datetime) -> IO[bytes] | Job:
    """Return the bundle, recording the download in the audit log, or the job that is making it.

    Raises:
        BundleRefused: The judgments or scores have changed since the report.
        JobRefused: The account has too many jobs.
    """
    if StudyInputs(frozen.study).is_small:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bundle.zip"
            sha256 = make_bundle(frozen.study, frozen.number, path=path)
            # An open file outlives its deletion.
            return _record(path.open("rb"), frozen, sha256=sha256, actor=actor, now=now)
    job = find_bundle_job(frozen)
    if job is not None and job.is_under_way:
        return job
    if job is not None and job.payload["of"] == _find_newest_change(frozen):
        if job.state == JobState.FAILED:
            raise BundleRefused(job.problem)
        if job.state == JobState.DONE and job.result:
            # It may have been deleted since.
            with suppress(FileNotFoundError):
                file = _find_files().open(_name_file(job))
                return _record(file, frozen, sha256=job.result["sha256"], actor=actor, now=now)
    payload = {"study": frozen.study_id, "report": frozen.pk, "of": _find_newest_change(frozen)}
    return request_job(BUNDLE, account=actor.user, key=str(frozen.pk), payload=payload, now=now)


def find_bundle_job(frozen: FrozenReport) -> Job | None:
    """Return the newest job that makes or has made the bundle of a report; None if there is none."""
    return find_job(BUNDLE, key=str(frozen.pk))


def _record(file: IO[bytes], frozen: FrozenReport, *, sha256: str, actor: Actor, now: datetime) -> IO[bytes]:
    details = {"file": f"bundle of report {frozen.number}", "sha256": sha256}
    record_change(frozen.study, actor=actor, action=AuditAction.EXPORTED, now=now, details=details)
    return file


def _find_newest_change(frozen: FrozenReport) -> list[str | int]:
    """Return what differs if the study has changed in any way: exclusions, withdrawals and designs are audited."""
    changes = AuditEntry.objects.filter(study=frozen.study_id).exclude(action__in=_NO_CHANGE)
    newest, inputs = changes.order_by("-pk").values_list("pk", flat=True).first(), StudyInputs(frozen.study)
    return [newest or 0, inputs.judgments, inputs.setting, frozen.stale_reason]


def _work(handle: JobHandle) -> dict[str, str]:
    frozen = FrozenReport.objects.select_related("study__dataset").filter(pk=handle.payload["report"]).first()
    if frozen is None:
        raise WorkFailed("the report no longer exists")
    handle.report("Writing the report and the data behind it.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bundle.zip"
        try:
            sha256 = make_bundle(frozen.study, frozen.number, path=path)
        except BundleRefused as refusal:
            raise WorkFailed(str(refusal)) from refusal
        with path.open("rb") as file:
            _find_files().write(_name_file(handle.job), iter(partial(file.read, _AT_ONCE), b""))
    return {"sha256": sha256}


def _delete_old_files(now: datetime) -> None:
    files = _find_files()
    for name in files.list_names():
        # A worker of another machine may have deleted it.
        with suppress(FileNotFoundError):
            if files.find_time(name) < now - KEPT:
                files.delete(name)


def _name_file(job: Job) -> str:
    return f"{job.token}.zip"


def _find_files() -> KeptFiles:
    return find_kept_files(Path(settings.VAR_DIR) / "bundles")


BUNDLE: Final = register(
    replace(
        REPORT,
        name="bundle",
        title="Creating a bundle",
        lane="bundles",
        work=_work,
        seconds=3600.0,
        kept=KEPT,
        clean=_delete_old_files,
    )
)
