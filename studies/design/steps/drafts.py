"""Keeps what a person has typed into a step of a design without saving it, so that no page loses it."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from studies.models import DesignDraft, Study


class DraftChanged(Exception):
    """Another tab has kept something else for this step; `other` is what it kept."""

    def __init__(self, other: DesignDraft) -> None:
        self.other = other
        super().__init__(f"another tab kept a draft of step {other.step}")


def find_draft(study: Study, *, user: AbstractBaseUser, step: str) -> DesignDraft | None:
    """Return what the person has typed into a step and not saved."""
    return DesignDraft.objects.filter(study=study, user_id=user.pk, step=step).first()


def list_drafted_steps(study: Study, *, user: AbstractBaseUser) -> frozenset[str]:
    """Return the steps in which the person has typed something and not saved it."""
    return frozenset(DesignDraft.objects.filter(study=study, user_id=user.pk).values_list("step", flat=True))


@transaction.atomic
def keep_draft(
    study: Study,
    *,
    user: AbstractBaseUser,
    step: str,
    typed: Mapping[str, Any],
    based_on: int,
    revision: str | None,
    now: datetime,
) -> DesignDraft:
    """Keep what is typed into a step in place of what was kept before.

    Args:
        typed: Name of a field in the form -> its text, or whether it is ticked.
        based_on: The version of the design that is being changed.
        revision: The revision that the page knows, empty if it knows none; None keeps the draft in any case.

    Raises:
        DraftChanged: Another page has kept a draft since; nothing is changed.
    """
    # One page at a time, so that the second of two is told of the first.
    Study.objects.select_for_update().get(pk=study.pk)
    known = find_draft(study, user=user, step=step)
    if known is not None and revision is not None and known.revision != revision and known.typed != typed:
        raise DraftChanged(known)
    values = {"typed": dict(typed), "based_on": based_on, "revision": secrets.token_hex(8), "saved_at": now}
    return DesignDraft.objects.update_or_create(study=study, user_id=user.pk, step=step, defaults=values)[0]


def drop_draft(
    study: Study,
    *,
    user: AbstractBaseUser,
    step: str,
    revision: str | None = None,
    typed: Mapping[str, Any] | None = None,
) -> None:
    """Delete the draft of a step.

    Args:
        revision: Delete it only if it is this one, so that another tab keeps its own; None for any.
        typed: Delete it, too, if it says just this: a page may not know yet that its draft was kept.
    """
    draft = find_draft(study, user=user, step=step)
    if draft is not None and (revision is None or draft.revision == revision or draft.typed == typed):
        DesignDraft.objects.filter(pk=draft.pk, revision=draft.revision).delete()
