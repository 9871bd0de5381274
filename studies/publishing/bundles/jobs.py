"""The bundle of a report as an open file: made in the request for a small study, and by a job for a large one.

The file that a job has made is kept for an hour, and handed out only while the study is as it was.
"""

import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Final

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

KEPT: Final = timedelta(hours=1)


def open_bundle(frozen: FrozenReport, *, actor: Actor, now: datetime) -> BinaryIO | Job:
    """Return the bundle, recording the download in the audit log, or the job that is making it.

    Raises:
        BundleRefused: The judgments or scores have changed since the report.
        JobRefused: The account has too many jobs.
    """
    if StudyInputs(frozen.study).is_small:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bundle.zip"
            return _open(path, frozen, sha256=make_bundle(frozen.study, frozen.number, path=path), actor=actor, now=now)
    job = find_bundle_job(frozen)
    if job is not None and job.is_under_way:
        return job
    if job is not None and _is_current(job, frozen):
        if job.state == JobState.FAILED:
            raise BundleRefused(job.problem)
        if job.state == JobState.DONE and job.result:
            # It may have been deleted since.
            with suppress(FileNotFoundError):
                return _open(_find_path(job), frozen, sha256=job.result["sha256"], actor=actor, now=now)
    payload = {"study": frozen.study_id, "report": frozen.pk, "of": _find_newest_change(frozen)}
    return request_job(BUNDLE, account=actor.user, key=str(frozen.pk), payload=payload, now=now)


def find_bundle_job(frozen: FrozenReport) -> Job | None:
    """Return the newest job that makes or has made the bundle of a report; None if there is none."""
    return find_job(BUNDLE, key=str(frozen.pk))


def _open(path: Path, frozen: FrozenReport, *, sha256: str, actor: Actor, now: datetime) -> BinaryIO:
    # An open file outlives its deletion.
    file = path.open("rb")
    details = {"file": f"bundle of report {frozen.number}", "sha256": sha256}
    record_change(frozen.study, actor=actor, action=AuditAction.EXPORTED, now=now, details=details)
    return file


def _is_current(job: Job, frozen: FrozenReport) -> bool:
    return bool(job.payload["of"] == _find_newest_change(frozen))


def _find_newest_change(frozen: FrozenReport) -> list[str | int]:
    """Return what differs if the study has changed in any way: exclusions, withdrawals and designs are audited."""
    changes = AuditEntry.objects.filter(study=frozen.study_id).exclude(action=AuditAction.EXPORTED)
    newest, inputs = changes.order_by("-pk").values_list("pk", flat=True).first(), StudyInputs(frozen.study)
    return [newest or 0, inputs.judgments, inputs.setting, frozen.stale_reason]


def _work(handle: JobHandle) -> dict[str, str]:
    frozen = FrozenReport.objects.select_related("study__dataset").filter(pk=handle.payload["report"]).first()
    if frozen is None:
        raise WorkFailed("the report is not there any more")
    _find_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    handle.report("Writing the report and all that it was made from.")
    try:
        return {"sha256": make_bundle(frozen.study, frozen.number, path=_find_path(handle.job))}
    except BundleRefused as refusal:
        raise WorkFailed(str(refusal)) from refusal


def _delete_old_files(now: datetime) -> None:
    for path in _find_folder().glob("*"):
        # A worker of another machine may have deleted it.
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < (now - KEPT).timestamp():
                path.unlink()


def _find_path(job: Job) -> Path:
    return _find_folder() / f"{job.token}.zip"


def _find_folder() -> Path:
    return Path(settings.VAR_DIR) / "bundles"


BUNDLE: Final = register(
    replace(
        REPORT,
        name="bundle",
        title="Making a bundle",
        lane="bundles",
        work=_work,
        seconds=3600.0,
        kept=KEPT,
        clean=_delete_old_files,
    )
)
