"""Score the dataset of a study with metrics."""

import sys
from typing import Any, Self

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from studies.access.audit import COMMAND_LINE
from studies.management.confirming import add_confirmation_arguments, read_confirmation
from studies.management.printing.results import add_protocol_arguments, find_study, print_report, split_names
from studies.management.refusals import RefusingCommand
from studies.management.scoring_options import read_scoring_options
from studies.scoring.pipeline import Watch
from studies.scoring.study_scoring import ScoringOptions, score_study


class Command(RefusingCommand):
    help = "Score the dataset of a study with metrics, for the references that the protocols of its studies need."

    def add_arguments(self, parser: CommandParser) -> None:
        add_protocol_arguments(parser)
        parser.add_argument("--corpus", default="", metavar="FILE[,FILE]", help="captions that metrics are fitted on")
        parser.add_argument(
            "--judgments", default="", metavar="STUDY", help="study whose judgments metrics are fitted on"
        )
        parser.add_argument("--param", action="append", default=[], metavar="METRIC.NAME=VALUE", help="set a parameter")
        parser.add_argument("--device", default="cpu", help="device for neural networks: cpu, cuda, mps (default: cpu)")
        parser.add_argument("--all-systems", action="store_true", help="print the scores of more than ten systems")
        add_confirmation_arguments(parser)
        parser.add_argument("--chunk-size", type=int, default=ScoringOptions().chunk_size, metavar="ROWS")

    def handle(self, *args: Any, **chosen: Any) -> None:
        with _ProgressBar() as progress:
            report = score_study(
                find_study(chosen["study"]),
                now=timezone.now,
                metrics=split_names(chosen["metrics"]),
                protocol=chosen["protocol"],
                protocol_options=chosen["option"],
                options=read_scoring_options(chosen),
                watch=progress,
                actor=COMMAND_LINE,
                confirmation=read_confirmation(chosen),
            )
        self.stdout.write(print_report(report, has_all_systems=chosen["all_systems"]))
        if report.failures:
            raise CommandError("\n".join(f"metric {name}: {reason}" for name, reason in report.failures))


class _ProgressBar(Watch):
    """A progress bar of chunks on a terminal."""

    def __init__(self) -> None:
        self.bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def note_planned(self, label: str, *, n_chunks: int) -> None:
        self.__exit__()
        hidden = not sys.stderr.isatty()
        self.bar = tqdm(desc=f"references {label}", total=n_chunks, unit="chunk", leave=False, disable=hidden)

    def note_chunks(self, metric: str, *, n_chunks: int, n_present: int = 0) -> None:
        if self.bar is not None:
            self.bar.update(n_chunks - n_present)
