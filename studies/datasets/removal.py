"""Archives studies, which hides them from lists, and deletes drafts in which nobody has judged."""

from datetime import datetime

from django.db import transaction
from django.db.models import ProtectedError

from studies.access.audit import Actor, record_change
from studies.datasets.thumbnails import delete_files
from studies.enums import AuditAction, StudyState
from studies.models import Dataset, Image, Judgment, Preregistration, Rater, Study
from studies.shared.errors import Refusal


class CannotRemove(Refusal):
    """The state of the study does not allow this; the message says why, and what can be done instead."""


@transaction.atomic
def archive_study(study: Study, *, now: datetime, actor: Actor) -> None:
    """Hide a study from the lists of studies; everything else stays as it is.

    Raises:
        CannotRemove: The study is open, or archived already.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.archived_at is not None:
        raise CannotRemove(f"study {study.name} is archived already")
    if locked.state == StudyState.OPEN:
        raise CannotRemove(f"study {study.name} is open: close it before it is archived")
    _save_archived(study, now)
    record_change(study, actor=actor, action=AuditAction.ARCHIVED, now=now)


@transaction.atomic
def restore_study(study: Study, *, now: datetime, actor: Actor) -> None:
    """Show an archived study in the lists again.

    Raises:
        CannotRemove: The study is not archived.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.archived_at is None:
        raise CannotRemove(f"study {study.name} is not archived")
    _save_archived(study, None)
    record_change(study, actor=actor, action=AuditAction.RESTORED, now=now)


@transaction.atomic
def delete_draft(study: Study, *, now: datetime, actor: Actor) -> None:
    """Delete a draft in which nobody has judged, and its dataset with all files if no other study uses it.

    The history of the site keeps that it was deleted, and by whom.

    Raises:
        CannotRemove: The study is no such draft.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    reason = explain_undeletable(locked)
    if reason:
        raise CannotRemove(f"study {study.name} cannot be deleted: {reason}")
    record_change(locked, actor=actor, action=AuditAction.DELETED, now=now, details={"title": locked.title})
    dataset = locked.dataset
    try:
        locked.tasks.all().delete()
        locked.delete()
    except ProtectedError as error:
        raise CannotRemove(f"study {study.name} cannot be deleted: other data depend on it") from error
    _delete_unused(dataset)


def explain_undeletable(study: Study) -> str:
    """Return the reason why a study cannot be deleted; empty if it can be."""
    if study.state != StudyState.DRAFT or study.started_at is not None:
        return "it has been opened; archive it instead"
    if Judgment.objects.filter(item__task__study=study).exists() or Rater.objects.filter(study=study).exists():
        return "it has raters or judgments; archive it instead"
    if Preregistration.objects.filter(study=study).exists():
        return "it has been preregistered, which is permanent; archive it instead"
    if Study.objects.filter(simulation_of=study).exists():
        return "a study of its simulated judgments depends on it; archive it instead"
    return ""


def _save_archived(study: Study, time: datetime | None) -> None:
    study.archived_at = time
    study.save(update_fields=["archived_at"])


def _delete_unused(dataset: Dataset) -> None:
    if Study.objects.filter(dataset=dataset).exists():
        return
    images = list(Image.objects.filter(dataset=dataset).exclude(file=""))
    try:
        with transaction.atomic():
            dataset.delete()
    except ProtectedError:
        # Scores or other studies need it.
        return
    for image in images:
        transaction.on_commit(lambda image=image: delete_files(image))
