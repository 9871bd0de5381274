"""Create a draft from files."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from studies.datasets.drafts.creation import draft_study
from studies.datasets.importing.formats import find_owner
from studies.enums import TaskKind
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Create a draft from a design (TOML or JSON), a table of items, and a folder of images."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="name of the study: letters, digits, hyphens and underscores")
        parser.add_argument("--kind", choices=TaskKind.values, help="optional if the design names a preset")
        parser.add_argument("--design", type=Path, required=True, metavar="FILE", help="question, consent, panel, ...")
        parser.add_argument("--items", type=Path, required=True, metavar="FILE", help="CSV, JSONL or Parquet")
        parser.add_argument(
            "--images", type=Path, metavar="FOLDER", help="folder with one file per image, named by its key"
        )
        parser.add_argument(
            "--references", type=Path, metavar="FILE", help="a table of references, or COCO caption annotations"
        )
        parser.add_argument("--title", default="", help="title shown to people (default: the name)")
        parser.add_argument("--owner", metavar="USERNAME", help="user who owns the study")
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
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
        found = {
            "study": draft.study.name,
            "images": draft.n_images,
            "tasks": draft.n_tasks,
            "items": draft.n_items,
        }
        self.stdout.write(print_values(found) if chosen["json"] else str(draft))
