"""The folder of scores: used by one process at a time, and what is complete in it."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from metrics_plugins.large_tables.manifest import Manifest, read_manifest
from metrics_plugins.large_tables.storage import Storage
from metrics_plugins.readers import InputError


@contextmanager
def use_folder(output: Storage) -> Iterator[Path]:
    """Make the folder of scores and an empty folder for temporary files, for one process at a time."""
    local = output.local_folder
    if local is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    try:
        local.mkdir(parents=True, exist_ok=True)
        lock = os.open(local / ".lock", os.O_CREAT | os.O_RDWR, 0o644)
    except OSError as error:
        raise InputError(f"{output}: must be a folder that can be written: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"{output}: another process is writing scores to this folder") from error
        scratch = local / ".unfinished"
        # What a process that was killed left.
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    finally:
        os.close(lock)


def find_kept(output: Storage, wanted: Manifest) -> tuple[Manifest, tuple[str, ...]]:
    """Return the manifest with the partitions that are complete in a folder, and the files of those that changed.

    A manifest of other inputs or metrics is replaced if nothing was scored yet.

    Raises:
        InputError: The folder holds scores of other inputs or metrics, or Parquet files without a manifest.
    """
    found = read_manifest(output)
    if found is None:
        if output.is_folder() and output.list_names(".parquet"):
            raise InputError(f"{output}: holds Parquet files and no manifest: pass an empty folder")
        return wanted, ()
    if not found.partitions and not output.list_names(".parquet"):
        return wanted, ()
    difference = found.explain_difference(wanted)
    if difference:
        raise InputError(f"{output}: cannot be continued, its manifest differs in {difference}: pass another folder")
    intact = {number: each for number, each in found.partitions.items() if _is_intact(output, each.file, each.sha256)}
    damaged = tuple(each.file for number, each in found.partitions.items() if number not in intact)
    return (replace(found, partitions=intact, scores={}) if damaged else found), damaged


def _is_intact(output: Storage, name: str, digest: str) -> bool:
    try:
        return output.digest(name) == digest
    except FileNotFoundError:
        return False
