"""Changes of a design, each stored as a new version; fields that judgments depend on cannot change."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Max

from studies.access.audit import Actor, record_change
from studies.design.completeness import list_missing
from studies.design.design_files import check_sense
from studies.design.design_history import Change, compare_designs
from studies.design.preregistration.deviations import (
    NOT_CONFIRMED,
    Confirmation,
    confirm_change,
    list_design_deviations,
)
from studies.design.study_design import StudyDesign, keep_secrets
from studies.design.versions import load_newest_version
from studies.enums import AuditAction, StudyState
from studies.models import Rater, Slot, StoppingLook, Study, StudyVersion
from studies.shared.errors import Refusal, SourceLocation
from studies.shared.text import unify_line_ends

WHAT_IS_JUDGED: Final = ("question", "scale", "slider", "allows_no_preference", "language")
"""The fields that give a value its meaning, which cannot change once there may be judgments."""

_BEGINNING: Final = "the design"


class CannotChangeDesign(Refusal):
    """The state of the study does not allow this change; `field` names the field, the message the reason."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(reason)


def list_frozen_fields(study: Study) -> dict[str, str]:
    """Return field -> the reason why it cannot be changed now; empty for a draft."""
    if study.started_at is None:
        return {}
    judged = "This defines what judgments mean. It cannot be changed once raters may have judged; clone the study."
    frozen = dict.fromkeys(WHAT_IS_JUDGED, judged)
    if study.state == StudyState.OPEN:
        frozen["raters_per_task"] = (
            "Slots are created when a study is opened. Close the study first; reopening it creates more."
        )
    if StoppingLook.objects.filter(study=study).exists():
        frozen["stopping_rule"] = (
            "Cannot be changed after an interim look, because the results so far could influence the choice."
        )
    if Rater.objects.filter(study=study).exists():
        frozen["panel.kind"] = "Cannot be changed, because raters have already used this channel and need it to return."
    return frozen


@transaction.atomic
def change_design(
    study: Study,
    *,
    changes: Mapping[str, Any],
    now: datetime,
    actor: Actor,
    user: Any | None = None,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> StudyVersion | None:
    """Create a version with changed fields; return it, or None if nothing differs.

    Args:
        changes: Field of `StudyDesign` -> value as in its JSON; parts such as `pay` must be complete, except that a
            secret field of a part keeps its value if it is not given.
        confirmation: Whether a change of a declared field is confirmed, if the study is preregistered.

    Raises:
        ImportFailed: A value is invalid; the message names the field.
        CannotChangeDesign: The state of the study does not allow it, or the study could not be open with this design.
        DeviationNotConfirmed: It deviates from the preregistration and is not confirmed.
    """
    # Lock the study, so that concurrent changes create consecutive versions.
    study = Study.objects.select_for_update().get(pk=study.pk)
    newest = load_newest_version(study)
    old = StudyDesign.from_json(newest.design)
    new = StudyDesign.from_json({**old.to_json(), **_unify(keep_secrets(changes, known=old))})
    check_sense(new, SourceLocation(_BEGINNING))
    differing = compare_designs(old, new)
    if not differing:
        return None
    _check_allowed(study, new, differing)
    fields = sorted({change.field for change in differing})
    deviating = confirm_change(
        study, lambda declared: list_design_deviations(declared, new, fields=fields), confirmation=confirmation
    )
    number = (StudyVersion.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0) + 1
    version = StudyVersion.objects.create(
        study=study, number=number, design=new.to_json(), created_at=now, created_by=user
    )
    details = {"was": newest.number, "is": number, "fields": fields, **deviating}
    record_change(study, actor=actor, action=AuditAction.DESIGNED, now=now, details=details)
    return version


def _check_allowed(study: Study, new: StudyDesign, differing: tuple[Change, ...]) -> None:
    frozen = list_frozen_fields(study)
    for change in differing:
        name = change.field if change.field in frozen else change.field.partition(".")[0]
        if name in frozen:
            raise CannotChangeDesign(name, frozen[name])
    most = Slot.objects.filter(study=study).aggregate(most=Max("number"))["most"] or 0
    if new.raters_per_task < most:
        raise CannotChangeDesign(
            "raters_per_task", f"Each task already has {most} slots; the number cannot be reduced."
        )
    missing = list_missing(study, new) if study.state == StudyState.OPEN else []
    if missing:
        raise CannotChangeDesign("", f"The study is open, but would have no {', no '.join(missing)}.")


def _unify(value: Any) -> Any:
    """Return a value of JSON in which all texts have line feeds only."""
    if isinstance(value, Mapping):
        return {name: _unify(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_unify(each) for each in value]
    return unify_line_ends(value) if isinstance(value, str) else value
