"""Changes the title and the protocol of a study, which are not part of its design."""

from datetime import datetime

from django.db import transaction

from correlation.protocols.reading import ProtocolUnknown, read_protocol
from studies.access.audit import Actor, record_change
from studies.design.preregistration.declaration import Analysis, compare_plan
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation, confirm_change
from studies.design.protocols import explain_misfit
from studies.enums import AuditAction
from studies.models import Study


@transaction.atomic
def rename_study(
    study: Study,
    *,
    title: str | None = None,
    protocol: str | None = None,
    now: datetime,
    actor: Actor,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> bool:
    """Change the title or the protocol of a study, None for no change; return whether anything changed.

    A protocol is about the analysis of judgments and not the questions to raters, so it may change at any time. In a
    preregistered study, a protocol other than the declared one is a deviation, which must be confirmed.

    Raises:
        ProtocolUnknown: The protocol does not exist, or is for another kind of study.
        DeviationNotConfirmed: The protocol deviates from the preregistration and the change is not confirmed.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if protocol is not None:
        misfit = explain_misfit(read_protocol(protocol), kind=locked.kind)
        if misfit:
            raise ProtocolUnknown(f"study {locked.name}: {misfit}, got {protocol}")
    given = {"title": title, "protocol": protocol}
    wanted = {name: value for name, value in given.items() if value is not None and value != getattr(locked, name)}
    if not wanted:
        return False
    details = {name: {"was": getattr(locked, name), "is": value} for name, value in wanted.items()}
    done = Analysis(protocol=wanted.get("protocol"))
    details |= confirm_change(locked, lambda declared: compare_plan(declared["plan"], done), confirmation=confirmation)
    for name, value in wanted.items():
        # Update the caller's object too, since it is shown next.
        setattr(study, name, value)
    study.save(update_fields=list(wanted))
    record_change(study, actor=actor, action=AuditAction.RENAMED, now=now, details=details)
    return True
