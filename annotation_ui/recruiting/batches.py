"""Batches of tasks for Turkle and Mechanical Turk, for the command and the page: files out, results in."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random

from django.db import transaction

from annotation_ui.channels.batch_files import read_fields, write_batch, write_page
from studies.access.audit import COMMAND_LINE, Actor
from studies.collection.batches.results import read_results
from studies.collection.batches.tasks import ImportedBatch, begin_batch, import_batch
from studies.models import Study


@dataclass(frozen=True, slots=True)
class BatchFiles:
    """The table of tasks, as CSV, and the page of a task, as HTML."""

    table: str
    page: str
    n_tasks: int


@transaction.atomic
def make_batch(study: Study, *, now: datetime, images_url: str = "", actor: Actor = COMMAND_LINE) -> BatchFiles:
    """Return the files of a batch; from now on, opening the study keeps the order of its tasks.

    Raises:
        BatchRefused: The study is closed.
        NoThumbnail: An image to be embedded cannot be read.
    """
    begin_batch(study, now=now, actor=actor)
    lines = list(write_batch(study, images_url=images_url))
    return BatchFiles("".join(lines), write_page(study), len(lines) - 1)


def take_results(study: Study, path: Path, *, now: datetime, rng: Random, actor: Actor = COMMAND_LINE) -> ImportedBatch:
    """Import a file of results.

    Raises:
        ImportFailed: The file is not such a table, or is of another study.
        BatchRefused: The study is not open, or rows are invalid; nothing is imported.
    """
    rows = read_results(path, study=study)
    return import_batch(study, rows, read_answers=partial(read_fields, study), now=now, rng=rng, actor=actor)
