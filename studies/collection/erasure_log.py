"""What was erased, kept outside of the database: after a restore of an older backup it is erased again.

A file with a line for each erasure, which names nobody: who it was stands there as a keyed hash of the identity key.
A line is on the disk before the erasure is committed, so that none is confirmed that a restore would undo for good.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from studies.collection.raters import Participant
from studies.identity_keys import list_lookup_hashes
from studies.models import Rater, Study


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


def list_rater_subjects(rater: Rater) -> tuple[str, ...]:
    """Return the hashes under which the withdrawal of a rater may stand in the log, the newest key's first."""
    return list_lookup_hashes("erased rater", rater.study.join_token, rater.pseudonym)


def list_person_subjects(study: Study, participant: Participant) -> tuple[str, ...]:
    """Return the hashes under which the erasure of a person from a study may stand in the log."""
    return list_lookup_hashes("erased person", study.join_token, participant.panel, participant.participant_id)


def log_erasures(erasures: Iterable[Erasure]) -> None:
    """Append lines, and return when they are on the disk; call it last in the transaction that erases.

    Raises:
        OSError: The file cannot be written; nothing must be confirmed then.
    """
    lines = [
        json.dumps({"at": one.at.isoformat(), "subject": one.subject, "answers": one.answers, "receipt": one.receipt})
        for one in erasures
    ]
    if not lines:
        return
    path = Path(settings.ACCORDANCE_ERASURES)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Several server processes append: each whole, one after the other.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())


def read_erasures(paths: Iterable[Path]) -> Mapping[str, Erasure]:
    """Return subject -> the last erasure of it in one or more logs.

    Raises:
        OSError: A file cannot be read.
        ValueError: A line is no erasure; the message says which.
    """
    found: dict[str, Erasure] = {}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                read = json.loads(line)
                at = datetime.fromisoformat(read["at"])
                erasure = Erasure(str(read["subject"]), at, bool(read["answers"]), str(read["receipt"]))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{path}, line {number}: must be an erasure as JSON, got {line[:40]!r}") from error
            before = found.get(erasure.subject)
            if before is None or before.at < erasure.at:
                found[erasure.subject] = erasure
    return found
