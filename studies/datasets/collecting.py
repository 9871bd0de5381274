"""Turns captions written by raters into candidates, which metrics can score and other raters judge."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.enums import AuditAction, StudyState, TaskKind
from studies.models import Candidate, CaptionSet, Item, Judgment, Study, System
from studies.shared.counted import select_counted
from studies.shared.errors import Refusal


class CannotCollect(Refusal):
    """The captions of a study cannot become candidates now, or not under this system; the message says why."""


@dataclass(frozen=True, slots=True)
class CollectedCaptions:
    """The numbers of candidates created now (`n_new`) and earlier (`n_known`)."""

    study: str
    system: str
    n_new: int
    n_known: int


@transaction.atomic
def collect_captions(study: Study, *, system: str, now: datetime, actor: Actor = COMMAND_LINE) -> CollectedCaptions:
    """Create a candidate for every caption written in the main tasks of a closed study, and return the numbers.

    Candidates have authors, so that nobody judges their own captions. The candidates of an image are a caption set.
    Captions of excluded raters and surplus ones are left out; those collected before are unchanged.

    Args:
        study: A closed study in which captions were written.
        system: The name of the system of the candidates, which represents people; created if needed.
        actor: The account for the audit log.

    Raises:
        CannotCollect: The study is of another kind, not closed or has no captions; or the system is a machine or its
                caption sets are judged in a study that has started.
    """
    if study.kind != TaskKind.CAPTION:
        raise CannotCollect(f"study {study.name}: captions are collected in studies of kind caption, got {study.kind}")
    if study.state != StudyState.CLOSED:
        raise CannotCollect(
            f"study {study.name} must be closed first, because captions may change while it accepts answers"
        )
    written = _list_written(study)
    if not written:
        raise CannotCollect(f"study {study.name} has no written captions")
    writers, _ = System.objects.get_or_create(dataset=study.dataset, name=system, defaults={"is_human": True})
    _check_system(study, writers)
    known = set(Candidate.objects.filter(dataset=study.dataset, system=writers).values_list("key", flat=True))
    new = [(key, judgment) for key, judgment in written.items() if key not in known]
    for key, judgment in new:
        _make_candidate(study, writers, judgment, key=key)
    if new:
        details = {"system": system, "captions": len(new)}
        record_change(study, actor=actor, action=AuditAction.CAPTIONS_COLLECTED, now=now, details=details)
    return CollectedCaptions(study.name, system, n_new=len(new), n_known=len(written) - len(new))


def _list_written(study: Study) -> dict[str, Judgment]:
    """Return the judgments to collect, by the key of the resulting candidate."""
    judgments: QuerySet[Judgment] = (
        select_counted(study)
        .select_related("item__image", "rater")
        .order_by("item__task__position", "item__position", "pk")
    )
    return {f"{study.name}-{judgment.item_id}-{judgment.rater.pseudonym}": judgment for judgment in judgments}


def _check_system(study: Study, system: System) -> None:
    if not system.is_human:
        raise CannotCollect(
            f"system {system.name} of dataset {study.dataset.name} is not a human system: choose another name"
        )
    judged = Item.objects.filter(caption_set__system=system, task__study__started_at__isnull=False)
    started = judged.values_list("task__study__name", flat=True).first()
    if started:
        raise CannotCollect(
            f"caption sets of system {system.name} are judged in study {started}, which has started, so they cannot "
            "be extended: choose another name"
        )


def _make_candidate(study: Study, system: System, judgment: Judgment, *, key: str) -> None:
    caption_set, _ = CaptionSet.objects.get_or_create(image=judgment.item.image, system=system)
    Candidate.objects.create(
        dataset_id=study.dataset_id,
        image=judgment.item.image,
        system=system,
        caption_set=caption_set,
        key=key,
        text=judgment.answer["caption"],
        author=judgment.rater,
    )
