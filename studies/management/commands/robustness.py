"""Print how fast the scores of metrics fall when references of a dataset are distorted."""

import sys
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import CommandParser
from tqdm import tqdm

from metrics_plugins.probes.robustness import Summary
from metrics_plugins.probes.robustness_report import format_robustness_json, print_robustness
from metrics_plugins.text.distortions import Distortion
from studies.analysis.robustness import RobustnessRequest, check_path, measure_dataset, write_robustness
from studies.management.printing.results import find_dataset, split_names
from studies.management.printing.values import add_json_argument
from studies.management.refusals import RefusingCommand
from studies.management.resampling import read_seed


class Command(RefusingCommand):
    help = "Print how fast the scores of metrics fall as human captions of a dataset are perturbed more strongly."
    runs_plugins = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", metavar="DATASET")
        parser.add_argument("--metrics", required=True, metavar="A,B", help="ids, separated by commas")
        parser.add_argument("--distortions", default=",".join(Distortion), metavar="A,B", help="default: %(default)s")
        parser.add_argument(
            "--steps", type=int, default=10, metavar="N", help="number of steps of strength from 0 to 1 (default: 10)"
        )
        parser.add_argument(
            "--position", type=int, default=0, metavar="N", help="index of the reference to perturb (default: 0)"
        )
        parser.add_argument("--summary", choices=get_args(Summary), default="mean", help="default: mean")
        parser.add_argument(
            "--seed", type=read_seed, default=0, metavar="S", help="the same seed gives the same numbers"
        )
        parser.add_argument("--corpus", default="", metavar="FILE", help="captions that metrics are fitted on")
        add_json_argument(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help="also write .json, .csv, .md, .svg, .png or .pdf")

    def handle(self, *args: Any, **chosen: Any) -> None:
        dataset = find_dataset(chosen["dataset"])
        names = {"metrics": split_names(chosen["metrics"]), "distortions": split_names(chosen["distortions"])}
        options = {name: chosen[name] for name in ("position", "summary", "seed", "corpus")}
        request = RobustnessRequest(**names, **options, n_steps=chosen["steps"])
        check_path(chosen["out"])
        report = measure_dataset(dataset, request, track=_show_progress)
        if chosen["out"]:
            write_robustness(report, chosen["out"], title=dataset.name)
        self.stdout.write(format_robustness_json(report) if chosen["json"] else print_robustness(report))


def _show_progress(steps: Any, *, total: int, label: str) -> Any:
    return tqdm(steps, desc=label, total=total, leave=False, disable=not sys.stderr.isatty())
