"""The log of erasures, stored outside the database so that they can be repeated after restoring an older backup.

A file of JSON lines without identities: people are listed by a keyed hash, under the identity key. All lines of a
transaction are written and synced to disk at its end, before the commit; a line that confirms it follows after the
commit. So no confirmed erasure can be undone for good by a restore. A line without confirmation means that the commit
failed, or that the confirmation was lost in a crash; the log cannot tell which. Such an entry is erased after a
restore anyway, since it was requested by the person or by the retention time, and is reported as unconfirmed.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from logging import getLogger
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.db import connection, transaction

from studies.collection.arrival.raters import Participant
from studies.identity_keys import list_lookup_hashes
from studies.models import Rater, Study
from studies.shared.errors import Refusal

_LOGGER: Final = getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Erasure:
    """One line of the log.

    Attributes:
        subject: Keyed hash of a rater by pseudonym, or of a person in a study.
        at: The time.
        answers: Whether judgments were erased as well.
        receipt: The receipt of a withdrawal, so that it stays valid after a restore; empty for other erasures.
    """

    subject: str
    at: datetime
    answers: bool = False
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class LoggedErasures:
    """The content of one or more logs.

    Attributes:
        by_subject: Subject -> its last erasure.
        unconfirmed: Subjects whose last erasure has no line confirming its commit.
        broken: The places and contents of incomplete or invalid lines.
    """

    by_subject: Mapping[str, Erasure]
    unconfirmed: frozenset[str] = frozenset()
    broken: tuple[str, ...] = ()


@dataclass(slots=True)
class _Read:
    erasures: dict[str, tuple[Erasure, str]] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    broken: list[str] = field(default_factory=list)


_collected: ContextVar[list[Erasure] | None] = ContextVar("collected", default=None)


def list_rater_subjects(rater: Rater) -> tuple[str, ...]:
    """Return the hashes under which the withdrawal of a rater may be logged, that of the newest key first."""
    return list_lookup_hashes("erased rater", rater.study.join_token, rater.pseudonym)


def list_person_subjects(study: Study, participant: Participant) -> tuple[str, ...]:
    """Return the hashes under which the erasure of a person from a study may be logged."""
    return list_lookup_hashes("erased person", study.join_token, participant.panel, participant.participant_id)


class LogUnwritable(Refusal, OSError):
    """The log of erasures could not be written, so nothing was erased; the message is for the operator."""


@contextmanager
def commit_erasures() -> Iterator[None]:
    """Open a transaction for erasures, and write their log lines at its end; nested calls join the outer one.

    Constraints that PostgreSQL checks at the commit are checked before the lines are written. SQLite could do so
    only by reading the whole database with writes blocked; there, a violated constraint fails the commit and leaves
    lines.

    Raises:
        LogUnwritable: The log cannot be written; nothing is erased then.
        RuntimeError: It is inside another transaction, which could still be rolled back.
    """
    outer = _collected.get()
    if outer is not None:
        n_before = len(outer)
        try:
            with transaction.atomic():
                yield
        except BaseException:
            del outer[n_before:]
            raise
        return
    collected: list[Erasure] = []
    token = _collected.set(collected)
    entry = uuid4().hex
    try:
        with transaction.atomic(durable=True):
            yield
            if collected:
                if connection.vendor == "postgresql":
                    connection.check_constraints()
                try:
                    _append([_describe(one, entry) for one in collected])
                except OSError as error:
                    raise LogUnwritable(
                        f"nothing was erased: the log of erasures cannot be written ({error}). Make "
                        f"{settings.ACCORDANCE_ERASURES} writable for the server's user, and erase again"
                    ) from error
    finally:
        _collected.reset(token)
    if collected:
        _confirm(entry)


def log_erasures(erasures: Iterable[Erasure]) -> None:
    """Log erasures at the end of their transaction; only within `commit_erasures`.

    Raises:
        RuntimeError: It was called outside `commit_erasures`.
    """
    collected = _collected.get()
    if collected is None:
        raise RuntimeError("erasures must run within `commit_erasures`, which logs them")
    collected.extend(erasures)


def read_erasures(paths: Iterable[Path]) -> LoggedErasures:
    """Read one or more logs; invalid lines are reported and the others read.

    Raises:
        FileNotFoundError: A file does not exist; the message says what that means.
        OSError: A file cannot be read.
    """
    read = _Read()
    for path in paths:
        try:
            content = path.read_bytes()
        except FileNotFoundError as error:
            raise FileNotFoundError(
                f"there is no log of erasures at {path}. If its disk was lost, use a copy with `--log FILE`; if "
                "nobody was ever erased here, use `--allow-missing`"
            ) from error
        for number, line in enumerate(content.split(b"\n"), start=1):
            if line.strip():
                _read_line(line, read, where=f"{path}, line {number}")
    return LoggedErasures(
        {subject: erasure for subject, (erasure, _) in read.erasures.items()},
        frozenset(subject for subject, (_, entry) in read.erasures.items() if entry not in read.done),
        tuple(read.broken),
    )


def _read_line(line: bytes, read: _Read, *, where: str) -> None:
    try:
        found: Any = json.loads(line)
        if "done" in found:
            read.done.add(str(found["done"]))
            return
        at = datetime.fromisoformat(found["at"])
        erasure = Erasure(str(found["subject"]), at, bool(found["answers"]), str(found["receipt"]))
        entry = str(found["entry"])
    except (ValueError, KeyError, TypeError):
        read.broken.append(f"{where}: must be an erasure as JSON, got {line[:40].decode(errors='replace')!r}")
        return
    before = read.erasures.get(erasure.subject)
    if before is None or before[0].at < erasure.at:
        read.erasures[erasure.subject] = erasure, entry


def _describe(one: Erasure, entry: str) -> dict[str, Any]:
    said = {"at": one.at.isoformat(), "subject": one.subject, "answers": one.answers, "receipt": one.receipt}
    return {"entry": entry, **said}


def _confirm(entry: str) -> None:
    try:
        _append([{"done": entry}])
    except OSError:
        # The erasure is committed and logged; without this line it is only reported as unconfirmed.
        _LOGGER.exception("the log of erasures cannot be written: entry %s is done but stays unconfirmed", entry)


def _append(lines: Iterable[Mapping[str, Any]]) -> None:
    """Append complete lines and sync them to disk; an incomplete write is truncated again."""
    path = Path(settings.ACCORDANCE_ERASURES)
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        # Lock the file, since several server processes append to it.
        fcntl.flock(file, fcntl.LOCK_EX)
        size = file.seek(0, os.SEEK_END)
        is_torn = bool(size) and os.pread(file.fileno(), 1, size - 1) != b"\n"
        text = ("\n" if is_torn else "") + "".join(f"{json.dumps(line)}\n" for line in lines)
        try:
            left = text.encode()
            while left:
                left = left[os.write(file.fileno(), left) :]
            os.fsync(file.fileno())
        except OSError:
            os.ftruncate(file.fileno(), size)
            raise
    if is_new:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # Sync the folder too, or a new file may be lost in a crash.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
