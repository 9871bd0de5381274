"""Import a published data set, caption results or a table of judgments as a closed study."""

import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from tqdm import tqdm

from studies.datasets.importing.formats import FORMATS, import_data
from studies.datasets.importing.options import ImportOptions
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Import a published data set, caption results or a table of judgments as a closed study."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", choices=FORMATS, metavar="FORMAT", help=", ".join(FORMATS))
        parser.add_argument(
            "--from",
            dest="sources",
            type=Path,
            action="append",
            required=True,
            metavar="PATH",
            help="folder or file, or ARCHIVE!MEMBER; repeatable for tables",
        )
        parser.add_argument("--study", metavar="NAME", help="name of the study and its dataset (default: the format's)")
        parser.add_argument("--owner", metavar="USERNAME", help="user who owns the study")
        add_json_argument(parser)
        coco = parser.add_argument_group("coco")
        coco.add_argument("--annotations", metavar="PATH", help="annotation file, or ARCHIVE, or ARCHIVE!MEMBER")
        coco.add_argument("--results", metavar="PATH", type=Path, action="append", default=[], help="repeatable")
        worlds = parser.add_argument_group("shapeworld")
        worlds.add_argument("--system", metavar="[NAME=]FILE", action="append", default=[], help="repeatable")
        worlds.add_argument("--profile", metavar="S|H", help="rules of truth (default: S)")
        table = parser.add_argument_group("table, and the published data sets that are tables")
        table.add_argument("--column", metavar="FIELD=COLUMN", action="append", default=[], help="repeatable")
        table.add_argument(
            "--references",
            metavar="FILE",
            type=Path,
            action="append",
            default=[],
            help="COCO annotations, lists of captions, or a table of captions; repeatable",
        )
        table.add_argument("--scale", metavar="VALUES", help="values that a rating may have: 1-5 or 1,2,3,4")
        table.add_argument("--ignore-columns", action="store_true", help="ignore columns that no field uses")
        table.add_argument("--guess-columns", action="store_true", help="recognise columns by names such as img, text")
        table.add_argument("--protocol", metavar="NAME", help="protocol for `correlate` (default: depends on the kind)")

    def handle(self, *args: Any, **chosen: Any) -> None:
        # Repeatable arguments are lists.
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in chosen.items()}
        first, *others = given["sources"]
        names = {field.name for field in fields(ImportOptions)} - {"source", "more_sources"}
        options = ImportOptions(source=first, more_sources=tuple(others), **{name: given[name] for name in names})
        result = import_data(
            chosen["format"], options=options, now=timezone.now(), owner=chosen["owner"], track=_show_progress
        )
        self.stdout.write(print_values(result) if chosen["json"] else str(result))


def _show_progress(steps: Any, *, label: str) -> Any:
    return tqdm(steps, desc=label, unit="batch", leave=False, disable=not sys.stderr.isatty())
