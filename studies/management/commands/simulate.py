"""Try out a study with simulated raters who use the real pages."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from studies.enums import PanelKind
from studies.management.printing.results import find_study
from studies.management.printing.simulation import print_simulation
from studies.management.refusals import RefusingCommand
from studies.simulation.outcomes import write_json, write_outcome
from studies.simulation.running import simulate
from studies.simulation.study_copies import IN_COPY, choose_panel, load_copy, run_in_copy


class Command(RefusingCommand):
    help = "Run simulated raters through a copy of a study, and print the outcome and the cost. Nothing is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--panel", choices=PanelKind.values, help="a panel other than that of the design")
        parser.add_argument("--raters", type=int, default=50, help="number of raters (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=0, help="seed of the simulated answers (default: %(default)s)")
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
                raise CommandError("the simulation did not end as expected; see above")
            return
        if chosen["panel"]:
            choose_panel(study, chosen["panel"])
        report = simulate(study, n_raters=chosen["raters"], seed=chosen["seed"], now=timezone.now())
        if chosen["out"]:
            write_outcome(study, report, chosen["out"])
        self.stdout.write(write_json(report, indent=1) if chosen["json"] else print_simulation(report))
        if report.problems:
            raise CommandError(f"{len(report.problems)} problems found")
