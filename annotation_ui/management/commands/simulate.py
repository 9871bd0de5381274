"""Try a study out with scripted raters at the real server."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation_ui.simulation.outcomes import write_json, write_outcome
from annotation_ui.simulation.printing import print_simulation
from annotation_ui.simulation.running import simulate
from annotation_ui.simulation.starting import IN_COPY, choose_panel, run_in_copy
from studies.collection.lifecycle import CannotChangeState
from studies.enums import PanelKind
from studies.management.printing.results import find_study


class Command(BaseCommand):
    help = "Send scripted raters through a copy of a study, and print what you would get and pay. Nothing is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--panel", choices=PanelKind.values, help="another panel than the design's")
        parser.add_argument("--raters", type=int, default=50, help="how many come (default: %(default)s)")
        parser.add_argument("--speed", type=float, default=30, help="how fast the clock runs (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=0, help="of what raters answer (default: %(default)s)")
        parser.add_argument("--out", type=lambda name: Path(name).resolve(), help="write report and judgments, as JSON")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        if chosen["raters"] < 1 or chosen["speed"] <= 0:
            raise CommandError("--raters must be 1 or more, and --speed above 0")
        if IN_COPY not in os.environ:
            names = ("panel", "raters", "speed", "seed", "out")
            given = [f"--{name}={chosen[name]}" for name in names if chosen[name] is not None]
            if run_in_copy(study, [*given, *(["--json"] if chosen["json"] else [])]):
                raise CommandError("the simulation did not end as it should; see above")
            return
        if chosen["panel"]:
            choose_panel(study, chosen["panel"])
        try:
            report = simulate(study, n_raters=chosen["raters"], speed=chosen["speed"], seed=chosen["seed"])
        except CannotChangeState as refusal:
            raise CommandError(str(refusal)) from refusal
        if chosen["out"]:
            write_outcome(study, report, chosen["out"])
        self.stdout.write(write_json(report, indent=1) if chosen["json"] else print_simulation(report))
        if report.problems:
            raise CommandError(f"{len(report.problems)} things are not as expected")
