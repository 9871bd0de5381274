"""Writes the captions of a captioner as the candidates, or caption sets, of a new system."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from captioning.api import CaptionBatch, Captioner, Decoding
from captioning.runtime import run_captioner
from captioning.runtime.records import CaptionerRecord, make_record
from metrics_plugins.api.progress import Track, pass_on
from studies.access.audit import Actor, record_change
from studies.datasets.captioners.dataset_images import ColumnFiles, open_images
from studies.datasets.captioners.errors import CannotCaption
from studies.datasets.quotas import check_room
from studies.enums import AuditAction, Interface
from studies.models import Candidate, CaptionSet, Dataset, Image, Study, System

_AT_ONCE: Final = 2000
_LONGEST_KEY: Final = 250


@dataclass(frozen=True, slots=True)
class CaptionedDataset:
    """What was written."""

    dataset: str
    system: str
    n_images: int
    n_captions: int
    record: CaptionerRecord

    def __str__(self) -> str:
        return (
            f"{self.dataset}: {self.n_captions:,} captions of {self.n_images:,} images written as system {self.system} "
            f"by {self.record}"
        )


def check_system_name(dataset: Dataset, name: str) -> None:
    """Raise CannotCaption unless this is the name of a possible new system."""
    if not name.strip() or len(name) > 100:
        raise CannotCaption("the name of the system must have 1 to 100 characters")
    if System.objects.filter(dataset=dataset, name=name).exists():
        raise CannotCaption(f"dataset {dataset.name} already has a system {name}: choose another name")


def check_number(dataset: Dataset, *, n: int, actor: Actor) -> None:
    """Raise CannotCaption if a page asks for more captions than `ACCORDANCE_CAPTIONS`; commands have no limit."""
    most: int = settings.ACCORDANCE_CAPTIONS
    n_captions = n * Image.objects.filter(dataset=dataset).count()
    if most and actor.interface != Interface.COMMAND and n_captions > most:
        raise CannotCaption(f"at most {most:,} captions can be written at once, asked for {n_captions:,}")


def caption_dataset(
    dataset: Dataset,
    captioner: Captioner,
    *,
    system: str,
    now: datetime,
    actor: Actor,
    n: int = 1,
    decoding: Decoding | None = None,
    seed: int = 0,
    folder: Path | None = None,
    files: ColumnFiles | None = None,
    allow_empty: bool = False,
    track: Track = pass_on,
    finish: Callable[[CaptionedDataset], None] = lambda _: None,
) -> CaptionedDataset:
    """Caption all images of a dataset, and store the captions as a new system: all or nothing.

    With one caption of an image it becomes a candidate; with several, they are a caption set.

    Args:
        captioner: The captioner.
        system: The name of the new system.
        actor: The account for the audit log and the quota.
        n: The number of captions of each image.
        decoding: By default that of the captioner, which is greedy.
        seed: Of the captions.
        folder: The folder of the captioner, for its record.
        files: Files of features and objects, and the size of pixels.
        allow_empty: Whether captions without a word are stored; otherwise they are an error.
        track: Displays progress.
        finish: Called in the transaction that stores the captions.

    Raises:
        CannotCaption: The name is taken, the dataset lacks what the captioner reads, or there are too many captions.
        CaptionerError: The captioner fails, or returns invalid captions.
        ImportFailed: The quota of bytes is used up.
    """
    check_system_name(dataset, system)
    check_number(dataset, n=n, actor=actor)
    record = make_record(captioner, n=n, decoding=decoding, seed=seed, folder=folder)
    # Outside the transaction: on SQLite a writing transaction blocks all others.
    with open_images(dataset, captioner.info, files=files or ColumnFiles()) as images:
        rng = np.random.default_rng(seed)
        batch = run_captioner(captioner, images, n=n, decoding=decoding, rng=rng, allow_empty=allow_empty, track=track)
    written = CaptionedDataset(dataset.name, system, len(batch), n * len(batch), record)
    with transaction.atomic():
        _store(dataset, batch, system=system, record=record, actor=actor)
        details = {"system": system, "captions": written.n_captions, "captioner": record.captioner}
        for study in Study.objects.filter(dataset=dataset):
            record_change(study, actor=actor, action=AuditAction.CAPTIONED, now=now, details=details)
        finish(written)
    return written


def _store(dataset: Dataset, batch: CaptionBatch, *, system: str, record: CaptionerRecord, actor: Actor) -> None:
    check_system_name(dataset, system)
    n_bytes = sum(len(caption.encode()) for row in batch.captions for caption in row)
    check_room(actor.user, n_bytes=n_bytes, n_studies=0)
    Dataset.objects.filter(pk=dataset.pk).update(n_bytes=F("n_bytes") + n_bytes)
    made = System.objects.create(dataset=dataset, name=system, captioner=record.to_json())
    pk_of = dict(Image.objects.filter(dataset=dataset).values_list("key", "pk"))
    sets: dict[str, int | None] = dict.fromkeys(batch.keys)
    if record.n_captions > 1:
        rows = [CaptionSet(image_id=pk_of[key], system=made) for key in batch.keys]
        sets = dict(zip(batch.keys, (each.pk for each in CaptionSet.objects.bulk_create(rows, _AT_ONCE)), strict=True))
    candidates = [
        Candidate(
            dataset=dataset,
            image_id=pk_of[key],
            system=made,
            caption_set_id=sets[key],
            key=_name_candidate(system, key, number if record.n_captions > 1 else 0),
            text=caption,
        )
        for key, row in zip(batch.keys, batch.captions, strict=True)
        for number, caption in enumerate(row, start=1)
    ]
    try:
        with transaction.atomic():
            Candidate.objects.bulk_create(candidates, batch_size=_AT_ONCE)
    except IntegrityError as error:
        raise CannotCaption(
            f"dataset {dataset.name} already has candidates with keys of system {system}: choose another name"
        ) from error


def _name_candidate(system: str, image: str, number: int) -> str:
    key = f"{system}-{image}-{number}" if number else f"{system}-{image}"
    if len(key) <= _LONGEST_KEY:
        return key
    return f"{system}-{hashlib.sha256(image.encode()).hexdigest()[:32]}-{number}"
