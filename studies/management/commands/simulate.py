"""Try a study out with scripted raters at the real pages."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from studies.collection.lifecycle import CannotChangeState
from studies.enums import PanelKind
from studies.management.printing.results import find_study
from studies.management.printing.simulation import print_simulation
from studies.simulation.copying import IN_COPY, choose_panel, load_copy, run_in_copy
from studies.simulation.outcomes import write_json, write_outcome
from studies.simulation.running import simulate


class Command(BaseCommand):
    help = "Send scripted raters through a copy of a study, and print what you would get and pay. Nothing is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--panel", choices=PanelKind.values, help="another panel than the design's")
        parser.add_argument("--raters", type=int, default=50, help="how many come (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=0, help="of what raters answer (default: %(default)s)")
        parser.add_argument("--out", type=lambda name: Path(name).resolve(), help="write report and judgments, as JSON")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **chosen: Any) -> None:
        if chosen["raters"] < 1:
            raise CommandError("--raters must be 1 or more")
        rows = os.environ.get(IN_COPY)
        if rows:
            load_copy(Path(rows))
        study = find_study(chosen["study"])
        if not rows:
            names = ("panel", "raters", "seed", "out")
            given = [f"--{name}={chosen[name]}" for name in names if chosen[name] is not None]
            if run_in_copy(study, [*given, *(["--json"] if chosen["json"] else [])]):
                raise CommandError("the simulation did not end as it should; see above")
            return
        if chosen["panel"]:
            choose_panel(study, chosen["panel"])
        try:
            report = simulate(study, n_raters=chosen["raters"], seed=chosen["seed"], now=timezone.now())
        except CannotChangeState as refusal:
            raise CommandError(str(refusal)) from refusal
        if chosen["out"]:
            write_outcome(study, report, chosen["out"])
        self.stdout.write(write_json(report, indent=1) if chosen["json"] else print_simulation(report))
        if report.problems:
            raise CommandError(f"{len(report.problems)} things are not as expected")
