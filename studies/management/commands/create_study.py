"""Make a study of one's own from files, as a draft."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studies.datasets.drafting.drafting import draft_study
from studies.datasets.importing.formats import find_owner
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed


class Command(BaseCommand):
    help = "Make a draft from a design (TOML or JSON), a table of what is judged, and a folder of images."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="its name: letters, digits, hyphens and underscores")
        parser.add_argument("--kind", choices=TaskKind.values, help="may be left out if the design names a preset")
        parser.add_argument("--design", type=Path, required=True, metavar="FILE", help="question, consent, panel, ...")
        parser.add_argument("--items", type=Path, required=True, metavar="FILE", help="CSV, JSONL or Parquet")
        parser.add_argument("--images", type=Path, metavar="FOLDER", help="a file for each image, named by its key")
        parser.add_argument("--references", type=Path, metavar="FILE", help="a table of references, or COCO's captions")
        parser.add_argument("--title", default="", help="for people (default: the name)")
        parser.add_argument("--owner", metavar="USERNAME", help="user who owns the study")

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            draft = draft_study(
                chosen["study"],
                kind=TaskKind(chosen["kind"]) if chosen["kind"] else None,
                design_file=chosen["design"],
                item_file=chosen["items"],
                image_folder=chosen["images"],
                reference_file=chosen["references"],
                now=timezone.now(),
                owner=find_owner(chosen["owner"]) if chosen["owner"] else None,
                title=chosen["title"],
            )
        except ImportFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(draft))
