"""Personal links and links for another device, for commands and pages."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation_ui.channels.study_links import list_links, make_site_link
from annotation_ui.views.resuming import make_resume_path
from studies.access.audit import COMMAND_LINE, Actor, record_change, record_names
from studies.collection.arrival.invitations import invite
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AuditAction, PanelKind
from studies.models import Rater, Study
from studies.shared.errors import Refusal


class NoLink(Refusal):
    """A link cannot be made; the message says why."""


def find_panel(study: Study) -> PanelKind:
    """Return the kind of panel that the newest design names."""
    return PanelKind(StudyDesign.from_json(load_newest_version(study).design).panel.kind)


@transaction.atomic
def make_personal_links(
    study: Study, people: Sequence[str], *, base_url: str, now: datetime, actor: Actor = COMMAND_LINE
) -> list[tuple[str, str]]:
    """Invite people and return (person, link) for each; those invited before keep their link.

    Raises:
        NoLink: The study's panel is not `in_house`.
        ValueError: A person's name or `base_url` is invalid.
    """
    kind = find_panel(study)
    if kind != PanelKind.IN_HOUSE:
        raise NoLink(f"study {study.name}: personal links are for the panel in_house, its design names {kind}")
    links = list_links(study, invite(study, people, now=now, actor=actor), base_url=base_url)
    record_names(study, people=len(links), command="invite", now=now, actor=actor)
    return links


@transaction.atomic
def make_link_to_resume(
    study: Study, participant: str, *, base_url: str, now: datetime, actor: Actor = COMMAND_LINE
) -> str:
    """Return the link with which a rater continues in another browser.

    Args:
        participant: The rater's id on the panel, or as invited.
        base_url, now, actor: The server's address, the time, and the account for the audit log.

    Raises:
        NoLink: No rater of the study has this id.
        ValueError: `base_url` is not the address of a server.
    """
    kind = find_panel(study)
    hashes = list_identity_hashes(Participant(kind, participant))
    rater = Rater.objects.filter(study=study, identity_hash__in=hashes).first()
    if rater is None:
        raise NoLink(f"study {study.name} has no rater whom the panel {kind} names {participant!r}")
    link = make_site_link(make_resume_path(rater), base_url=base_url)
    record_change(study, actor=actor, action=AuditAction.RESUME_LINK_MADE, now=now, details={})
    return link
