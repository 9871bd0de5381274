"""Print the link with which a rater can continue in another browser."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation_ui.channels.study_links import DEFAULT_BASE_URL, make_site_link
from annotation_ui.views.resuming import make_resume_path
from studies.access.audit import COMMAND_LINE, record_change
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AuditAction
from studies.management.printing.results import find_study
from studies.models import Rater


class Command(BaseCommand):
    help = "Print the link for continuing in another browser; anyone who has it can answer for the participant."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("participant", metavar="ID", help="id on the panel, or as invited")
        parser.add_argument("--base-url", default=DEFAULT_BASE_URL, metavar="URL", help="default: %(default)s")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        kind = StudyDesign.from_json(load_newest_version(study).design).panel.kind
        hashes = list_identity_hashes(Participant(kind, chosen["participant"]))
        rater = Rater.objects.filter(study=study, identity_hash__in=hashes).first()
        if rater is None:
            raise CommandError(f"study {study.name} has no rater whom the panel {kind} names {chosen['participant']!r}")
        try:
            link = make_site_link(make_resume_path(rater), base_url=chosen["base_url"])
        except ValueError as refusal:
            raise CommandError(str(refusal)) from refusal
        record_change(study, actor=COMMAND_LINE, action=AuditAction.RESUME_LINK_MADE, now=timezone.now(), details={})
        self.stdout.write(link)
