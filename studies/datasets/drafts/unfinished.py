"""The uploads of an account that have not become a study yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from studies.datasets.drafts.checks import Preview
from studies.datasets.drafts.upload_jobs import is_data
from studies.datasets.staged_uploads import LONGEST, list_staged


@dataclass(frozen=True, slots=True)
class UnfinishedUpload:
    """An upload of files for a study.

    Attributes:
        token: Of its page.
        title: Of the study.
        files: The names of its files.
        sent_at, expires_at: When it was sent, and when it will be deleted.
        n_faults: The number of errors found; None before the check is done.
    """

    token: str
    title: str
    files: Sequence[str]
    sent_at: datetime
    expires_at: datetime
    n_faults: int | None


def list_unfinished(user: Any, *, now: datetime) -> tuple[UnfinishedUpload, ...]:
    """Return the uploads from which a user may still create a study, newest first."""
    return tuple(
        UnfinishedUpload(
            token=staged.token,
            title=staged.choices["title"].strip() or "No title",
            files=[name for name in (*staged.items, staged.images, staged.references) if name],
            sent_at=staged.at,
            expires_at=staged.at + LONGEST,
            n_faults=len(Preview.from_json(staged.checked).faults) if staged.checked else None,
        )
        for staged in list_staged(user, now=now)
        if not is_data(staged)
    )
