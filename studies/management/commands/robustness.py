"""Print how fast the scores of metrics fall when the references of a dataset are ruined."""

import sys
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from metrics_plugins.probes.robustness import Summary
from metrics_plugins.probes.robustness_report import print_robustness
from metrics_plugins.text.distortions import Distortion
from studies.analysis.robustness import RobustnessRequest, check_path, measure_dataset, write_robustness
from studies.management.printing.results import find_dataset, split_names
from studies.management.refusals import say_refusals
from studies.management.resampling import read_seed


class Command(BaseCommand):
    help = "Print how fast the scores of metrics fall when human captions of a dataset are ruined by degrees."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", metavar="DATASET")
        parser.add_argument("--metrics", required=True, metavar="A,B", help="ids, apart by commas")
        parser.add_argument("--distortions", default=",".join(Distortion), metavar="A,B", help="default: %(default)s")
        parser.add_argument("--steps", type=int, default=10, metavar="N", help="of strength from 0 to 1 (default: 10)")
        parser.add_argument("--position", type=int, default=0, metavar="N", help="the reference to ruin (default: 0)")
        parser.add_argument("--summary", choices=get_args(Summary), default="mean", help="default: mean")
        parser.add_argument("--seed", type=read_seed, default=0, metavar="S", help="same seed, same numbers")
        parser.add_argument("--corpus", default="", metavar="FILE", help="captions that metrics learn from")
        parser.add_argument("--out", type=Path, metavar="FILE", help="also write .json, .csv, .md, .svg, .png or .pdf")

    def handle(self, *args: Any, **chosen: Any) -> None:
        dataset = find_dataset(chosen["dataset"])
        names = {"metrics": split_names(chosen["metrics"]), "distortions": split_names(chosen["distortions"])}
        options = {name: chosen[name] for name in ("position", "summary", "seed", "corpus")}
        request = RobustnessRequest(**names, **options, n_steps=chosen["steps"])
        with say_refusals():
            check_path(chosen["out"])
            report = measure_dataset(dataset, request, track=_show_progress)
            if chosen["out"]:
                write_robustness(report, chosen["out"], title=dataset.name)
        self.stdout.write(print_robustness(report))


def _show_progress(steps: Any, *, total: int, label: str) -> Any:
    return tqdm(steps, desc=label, total=total, leave=False, disable=not sys.stderr.isatty())
