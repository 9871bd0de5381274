"""Jobs that read uploads, in processes with limited memory and time.

The files of a study are checked first, then made into a draft; a table of judgments becomes a closed study.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from jobs.enums import UNDER_WAY
from jobs.errors import JobRefused, WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import cancel_job, find_job, request_job
from jobs.running_job import JobHandle
from studies.access.audit import Actor
from studies.datasets.drafts.checks import Preview, UploadHasFaults, check_upload, make_draft
from studies.datasets.drafts.creation import Draft
from studies.datasets.image_storage import delete_folder, delete_left_folders, name_folder
from studies.datasets.importing.uploaded import read_uploaded_data
from studies.datasets.importing.values import check_name
from studies.datasets.importing.writing import write_dataset
from studies.datasets.names import number_names
from studies.datasets.quotas import check_room
from studies.datasets.staged_uploads import (
    Staged,
    Uploaded,
    delete_staged,
    keep_files,
    load_staged,
    measure_upload,
    open_upload,
    save_staged,
    stage_upload,
)
from studies.enums import Interface
from studies.shared.errors import ImportFailed

_WRONG: Final = "the files have errors; no study was created"


def send_upload(
    *, choices: Mapping[str, str], files: Mapping[str, Any], actor: Actor, now: datetime, make: bool = False
) -> tuple[Staged, Job]:
    """Store an upload and queue its check; the files are not read here.

    Args:
        choices: The values of the form.
        files: Files by role, as for `keep_files`.
        actor, now: Who, and when.
        make: Whether to create a draft at once if there are no errors.

    Raises:
        ImportFailed: The account has no room for it, or too many jobs.
    """
    return _send(MAKE if make else CHECK, choices=choices, files=files, actor=actor, now=now, payload={"look": make})


def send_data(
    *, choices: Mapping[str, str], files: Mapping[str, Any], actor: Actor, now: datetime
) -> tuple[Staged, Job]:
    """Store data of a known format and queue its import as closed studies; it is not read here.

    Args:
        choices: `format` and the options of `read_uploaded_data`.
        files: `items`, a list of files, and optionally `references`.
        actor, now: Who, and when.

    Raises:
        ImportFailed: The name is invalid, or the quota of space or jobs is used up.
    """
    if choices.get("name"):
        check_name(choices["name"])
    return _send(IMPORT, choices=choices, files=files, actor=actor, now=now)


def _send(
    kind: Kind,
    *,
    choices: Mapping[str, str],
    files: Mapping[str, Any],
    actor: Actor,
    now: datetime,
    payload: Mapping[str, Any] | None = None,
) -> tuple[Staged, Job]:
    user, n_bytes = actor.user, _measure(files)
    with transaction.atomic():
        check_room(user, n_bytes=n_bytes)
        busy = Job.objects.filter(account=user, kind__in=[each.name for each in UPLOAD_KINDS], state__in=UNDER_WAY)
        keys = list(busy.values_list("key", flat=True))
        # Count the bytes before writing, so that concurrent uploads include them.
        staged = stage_upload(user, choices=choices, now=now, busy=keys, n_bytes=n_bytes)
    try:
        staged = keep_files(staged, **files)
        job = _request(kind, staged, actor=actor, now=now, payload=payload)
    except BaseException:
        delete_staged(staged)
        raise
    return staged, job


def send_again(
    staged: Staged, *, choices: Mapping[str, str], files: Mapping[str, Any], actor: Actor, now: datetime
) -> Job:
    """Replace files and choices of an upload, and queue another check, or another import of data.

    Raises:
        ImportFailed: The account has no room for it, or too many jobs.
    """
    n_bytes = _measure(files)
    with transaction.atomic():
        check_room(actor.user, n_bytes=n_bytes, n_studies=0)
        staged = save_staged(replace(staged, n_bytes=measure_upload(staged) + n_bytes))
    _stop(staged, now=now)
    kind = IMPORT if is_data(staged) else CHECK
    return _request(kind, keep_files(replace(staged, choices=choices), **files), actor=actor, now=now)


def is_data(staged: Staged) -> bool:
    """Whether an upload is data to import, rather than the files of a new study."""
    return "start" not in staged.choices


def ask_for_draft(staged: Staged, *, actor: Actor, now: datetime) -> Job:
    """Queue the creation of a draft from a checked upload.

    Raises:
        UploadHasFaults: The upload has errors.
        ImportFailed: It has not been checked, is being processed, or the account has too many jobs.
    """
    if not staged.checked:
        raise ImportFailed("the upload", "must have been checked")
    faults = Preview.from_json(staged.checked).faults
    if faults:
        raise UploadHasFaults(faults)
    return _request(MAKE, staged, actor=actor, now=now)


def discard_upload(staged: Staged, *, now: datetime) -> None:
    """Delete an upload, cancelling its jobs."""
    _stop(staged, now=now)
    delete_staged(staged)


def find_upload_job(token: str, *, user: Any) -> Job | None:
    """Return the newest job of a user's upload, which exists even after the upload has become a study."""
    job = find_job(*UPLOAD_KINDS, key=token)
    return job if job is not None and job.account_id == user.pk else None


def _stop(staged: Staged, *, now: datetime) -> None:
    for kind in UPLOAD_KINDS:
        job = find_job(kind, key=staged.token, under_way=True)
        if job is not None:
            with suppress(JobRefused):
                cancel_job(job, now=now)


def _request(
    kind: Kind, staged: Staged, *, actor: Actor, now: datetime, payload: Mapping[str, Any] | None = None
) -> Job:
    given = {"interface": actor.interface, **(payload or {})}
    try:
        return request_job(kind, account=actor.user, key=staged.token, payload=given, now=now)
    except JobRefused as refusal:
        raise ImportFailed("the upload", str(refusal)) from refusal


def _measure(files: Mapping[str, Any]) -> int:
    sent: list[Uploaded | None] = []
    for each in files.values():
        sent += each if isinstance(each, Sequence) else [each]
    return sum(int(getattr(file, "size", 0) or 0) for file in sent if file)


def _find(handle: JobHandle) -> Staged:
    staged = load_staged(handle.job.key)
    if staged is None:
        raise WorkFailed(
            "the upload is no longer available, because uploads are kept for one day; upload the files again"
        )
    return staged


def _watch(handle: JobHandle, message: str, n_done: int, n_total: int) -> None:
    handle.report(message, n_done=n_done, n_total=n_total)


def _check(handle: JobHandle) -> dict[str, int]:
    staged = check_upload(_find(handle), watch=lambda *told: _watch(handle, *told))
    return {"n_faults": len(staged.checked["faults"])}


def _make(handle: JobHandle) -> None:
    staged, now = _find(handle), handle.now()
    actor = Actor(handle.job.account, Interface(handle.payload["interface"]))

    def watch(message: str, n_done: int, n_total: int) -> None:
        _watch(handle, message, n_done, n_total)

    if handle.payload.get("look"):
        staged = check_upload(staged, watch=watch)
        n_faults = len(staged.checked["faults"])
        if n_faults:
            errors = "error" if n_faults == 1 else "errors"
            raise WorkFailed(f"{n_faults} {errors} in the uploaded files; no study was created")

    def finish(draft: Draft) -> None:
        made = {"n_images": draft.n_images, "n_tasks": draft.n_tasks, "n_items": draft.n_items}
        handle.finish({"study": draft.study.name, **made})

    # Delete what an earlier try and other ended jobs have left.
    folder = name_folder(handle.job)
    delete_folder(folder)
    delete_left_folders()
    try:
        make_draft(staged, owner=handle.job.account, actor=actor, now=now, watch=watch, finish=finish, folder=folder)
    except (UploadHasFaults, ImportFailed) as error:
        # Check again, so that this error is shown together with all others.
        check_upload(staged, watch=watch)
        raise WorkFailed(str(error) or _WRONG) from error


def _import(handle: JobHandle) -> None:
    staged, now = _find(handle), handle.now()
    actor = Actor(handle.job.account, Interface(handle.payload["interface"]))
    handle.report("Reading the data.")
    with open_upload(staged) as files:
        try:
            record = read_uploaded_data(
                staged.choices,
                items=files.item_paths,
                references=files.reference_path if staged.references else None,
                folder=files.folder,
            )
            handle.report("Writing the study.")
            with transaction.atomic():
                record = number_names(record)
                result = write_dataset(record, now=now, owner=handle.job.account, actor=actor)
                handle.finish({"study": record.studies[0].name, "text": str(result)})
        except ImportFailed as error:
            # The messages are also for the command, whose options have the names of the fields, and whose paths are
            # known.
            told = (
                str(error).replace(str(files.folder.resolve()), "the upload").replace(str(files.folder), "the upload")
            )
            raise WorkFailed(told.replace("--", "")) from error
    delete_staged(staged)


def _forget_pictures(job: Job) -> None:
    transaction.on_commit(lambda: delete_folder(name_folder(job)))


def _limit_memory() -> int:
    return int(settings.ACCORDANCE_UPLOAD_MEMORY)


CHECK: Final = register(
    Kind(
        name="check-upload",
        title="Checking your files",
        lane="uploads",
        work=_check,
        seconds=settings.ACCORDANCE_UPLOAD_SECONDS,
        memory=_limit_memory,
        most_tries=2,
    )
)
MAKE: Final = register(
    replace(CHECK, name="make-draft", title="Creating your study", work=_make, on_end=_forget_pictures)
)
IMPORT: Final = register(replace(CHECK, name="import-judgments", title="Importing your data", work=_import))
UPLOAD_KINDS: Final = (CHECK, MAKE, IMPORT)
