"""What was erased, kept outside of the database: after a restore of an older backup it is erased again.

A file of JSON lines that names nobody: who it was stands there as a keyed hash of the identity key. All lines of one
transaction are written and on the disk at its end, before the commit, and a line that says that it is done follows
after the commit. So no erasure is confirmed that a restore would undo for good, and a line without its end tells of
one whose commit failed, or whose end was lost in a crash. Which of the two it was cannot be told from the log; it is
erased after a restore all the same, since a person or the retention time asked for it, and reported as unconfirmed.
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

_LOGGER: Final = getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Erasure:
    """One line.

    Attributes:
        subject: Keyed hash of a rater by pseudonym, or of a person in a study.
        at: When.
        answers: Whether judgments were erased too.
        receipt: Of a withdrawal, so that it is good after a restore too; empty for what was no withdrawal.
    """

    subject: str
    at: datetime
    answers: bool = False
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class LoggedErasures:
    """What one or more logs say.

    Attributes:
        by_subject: Subject -> the last erasure of it.
        unconfirmed: Subjects whose last erasure has no line that says that it was committed.
        broken: Of lines that are torn or no erasure, where they stand and what stands there.
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
    """Return the hashes under which the withdrawal of a rater may stand in the log, the newest key's first."""
    return list_lookup_hashes("erased rater", rater.study.join_token, rater.pseudonym)


def list_person_subjects(study: Study, participant: Participant) -> tuple[str, ...]:
    """Return the hashes under which the erasure of a person from a study may stand in the log."""
    return list_lookup_hashes("erased person", study.join_token, participant.panel, participant.participant_id)


class LogUnwritable(OSError):
    """The log of erasures cannot be written, so nothing was erased; the message is for the operator."""


@contextmanager
def commit_erasures() -> Iterator[None]:
    """Open a transaction that erases, and write what it logged at its end; one within another joins it.

    Constraints that PostgreSQL would check at the commit are checked before the lines are written. SQLite can check
    them only by reading the whole database, while nobody else may write: there one that is broken fails the commit,
    and leaves lines without an end.

    Raises:
        LogUnwritable: The log cannot be written; nothing is erased then.
        RuntimeError: There is a transaction around it, which could still undo what the log says.
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
                        f"nothing was erased: the log of erasures cannot be written ({error}). Let the user that the "
                        f"server runs as write {settings.ACCORDANCE_ERASURES}, and erase again"
                    ) from error
    finally:
        _collected.reset(token)
    if collected:
        _confirm(entry)


def log_erasures(erasures: Iterable[Erasure]) -> None:
    """Have lines written at the end of the transaction that erases: within `commit_erasures` only.

    Raises:
        RuntimeError: It is called outside of one.
    """
    collected = _collected.get()
    if collected is None:
        raise RuntimeError("what erases must run within `commit_erasures`, which logs it")
    collected.extend(erasures)


def read_erasures(paths: Iterable[Path]) -> LoggedErasures:
    """Return what one or more logs say; lines that are broken are told of, and the others read.

    Raises:
        FileNotFoundError: There is no such file; the message says what that means.
        OSError: A file cannot be read.
    """
    read = _Read()
    for path in paths:
        try:
            content = path.read_bytes()
        except FileNotFoundError as error:
            raise FileNotFoundError(
                f"no erasures are recorded at {path}: there is no such file. If the disk with it was lost, read a copy "
                "with `--log FILE`; if nobody was ever erased here, say so with `--allow-missing`"
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
        # It is erased, and the lines before say so: without this one they are only reported as unconfirmed.
        _LOGGER.exception("the log of erasures cannot be written: entry %s is done and stays unconfirmed", entry)


def _append(lines: Iterable[Mapping[str, Any]]) -> None:
    """Append whole lines, and return when they are on the disk; what cannot be written whole is taken back."""
    path = Path(settings.ACCORDANCE_ERASURES)
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        # Several server processes append: each whole, one after the other.
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
    # A new file is there after a crash only if its folder is on the disk too.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
