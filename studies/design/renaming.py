"""Title and protocol of a study: what may be changed of it beside its design."""

from datetime import datetime

from django.db import transaction

from studies.access.auditing import Actor, record_change
from studies.design.protocols import ProtocolUnknown, explain_misfit, read_protocol
from studies.enums import AuditAction
from studies.models import Study


@transaction.atomic
def rename_study(
    study: Study, *, title: str | None = None, protocol: str | None = None, now: datetime, actor: Actor
) -> bool:
    """Give a study another title or protocol, None for the one that it has; return whether anything changed.

    A protocol says how judgments are analysed and not what was asked, so it may change at any time; where another was
    registered, that shows as a deviation.

    Raises:
        ProtocolUnknown: There is no such protocol, or it is for another kind of study.
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
    for name, value in wanted.items():
        # The study at hand is shown next.
        setattr(study, name, value)
    study.save(update_fields=list(wanted))
    record_change(study, actor=actor, action=AuditAction.RENAMED, now=now, details=details)
    return True
