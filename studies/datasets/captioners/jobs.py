"""The background job that captions the images of a dataset, requested on its page."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db.models import Q

from captioning.api import CaptionerError, Decoding
from jobs.errors import JobRefused, WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import find_job, request_job
from jobs.running_job import JobHandle
from studies.access.audit import Actor
from studies.access.visibility import visible_studies
from studies.datasets.captioners.choices import find_choice, open_choice
from studies.datasets.captioners.dataset_images import check_columns, find_files
from studies.datasets.captioners.errors import CannotCaption
from studies.datasets.captioners.writing import CaptionedDataset, caption_dataset, check_number, check_system_name
from studies.enums import Interface
from studies.models import Dataset
from studies.shared.errors import Refusal

T = TypeVar("T")


def ask_for_captions(
    dataset: Dataset,
    *,
    captioner: str,
    decoding: str,
    n: int,
    system: str,
    seed: int,
    allow_empty: bool,
    actor: Actor,
    now: datetime,
) -> Job:
    """Queue the captioning of a dataset, after checks that need no image to be read.

    Args:
        captioner: The value of a `CaptionerChoice`.
        decoding: As `Decoding.parse` reads it; empty for that of the captioner, which is greedy.
        n, system, seed, allow_empty: As for `caption_dataset`.
        actor, now: Who, and when.

    Raises:
        CannotCaption: An argument is invalid, the dataset lacks what the captioner reads, captions are already being
            written, or the account has too many jobs.
    """
    choice = find_choice(captioner)
    info = choice.info
    check_system_name(dataset, system)
    check_number(dataset, n=n, actor=actor)
    check_columns(dataset, info, files=find_files(dataset))
    try:
        is_greedy = not decoding or Decoding.parse(decoding).method == "greedy"
        if info.can_score and is_greedy and n > 1:
            raise CannotCaption("greedy decoding gives one caption of an image: sample, or search with beams")
    except CaptionerError as error:
        raise CannotCaption(str(error)) from error
    payload = {
        "dataset": dataset.pk,
        "captioner": captioner,
        "decoding": decoding,
        "n": n,
        "system": system,
        "seed": seed,
        "allow_empty": allow_empty,
        "interface": actor.interface,
    }
    try:
        return request_job(CAPTION, account=actor.user, key=_name_key(dataset), payload=payload, now=now)
    except JobRefused as refusal:
        raise CannotCaption(str(refusal)) from refusal


def find_caption_job(dataset: Dataset) -> Job | None:
    """Return the newest captioning of a dataset."""
    return find_job(CAPTION, key=_name_key(dataset))


def _name_key(dataset: Dataset) -> str:
    return f"dataset-{dataset.pk}"


def _caption(handle: JobHandle) -> None:
    given = handle.payload
    dataset = Dataset.objects.filter(pk=given["dataset"]).first()
    if dataset is None:
        raise WorkFailed("the dataset no longer exists")
    handle.report("Opening the captioner.")

    def track(steps: Iterable[T], *, total: int, label: str) -> Iterable[T]:
        for n_done, step in enumerate(steps):
            handle.report(f"Captioning the images by {label}.", n_done=n_done, n_total=total)
            yield step
        handle.report("Storing the captions.")

    def finish(written: CaptionedDataset) -> None:
        handle.finish({"system": written.system, "n_captions": written.n_captions})

    try:
        choice = find_choice(given["captioner"])
        caption_dataset(
            dataset,
            open_choice(choice),
            system=given["system"],
            now=handle.now(),
            actor=Actor(handle.job.account, Interface(given["interface"])),
            n=given["n"],
            decoding=Decoding.parse(given["decoding"]) if given["decoding"] else None,
            seed=given["seed"],
            folder=choice.folder,
            files=find_files(dataset),
            # Jobs of earlier versions have no such field.
            allow_empty=given.get("allow_empty", False),
            track=track,
            finish=finish,
        )
    except (CaptionerError, Refusal) as error:
        raise WorkFailed(str(error)) from error


def _may_see(user: Any, job: Job) -> bool:
    return visible_studies(user).filter(Q(dataset=job.payload["dataset"])).exists()


def _may_cancel(user: Any, job: Job) -> bool:
    return job.account_id is not None and job.account_id == user.pk


def _limit_memory() -> int:
    return int(settings.ACCORDANCE_METRIC_MEMORY)


CAPTION: Final = register(
    Kind(
        name="caption",
        title="Captioning the images",
        lane="captions",
        work=_caption,
        seconds=settings.ACCORDANCE_CAPTION_SECONDS,
        memory=_limit_memory,
        most_tries=2,
        may_see=_may_see,
        may_cancel=_may_cancel,
    )
)
