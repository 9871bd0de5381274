"""Add checks with captions that were ruined on purpose to a draft."""

from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from metrics_plugins.text.distortions import Distortion
from studies.design.perturbing import DISTORTIONS, CannotPerturb, add_perturbed_checks
from studies.management.printing.results import find_study, split_names


class Command(BaseCommand):
    help = "Add checks with captions ruined on purpose to a draft with ratings; `quality` tests each rater by them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--number", type=int, required=True, metavar="N", help="how many checks")
        every = ",".join(DISTORTIONS)
        parser.add_argument("--distortions", default=every, metavar="A,B", help="default: %(default)s")
        parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default: %(default)s)")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        names = split_names(chosen["distortions"])
        unknown = [name for name in names if name not in DISTORTIONS]
        if unknown:
            raise CommandError(f"--distortions: must be of {', '.join(DISTORTIONS)}, got {', '.join(unknown)}")
        distortions = [Distortion(name) for name in names]
        rng = np.random.default_rng(chosen["seed"])
        try:
            added = add_perturbed_checks(
                study, number=chosen["number"], rng=rng, now=timezone.now(), distortions=distortions
            )
        except CannotPerturb as refusal:
            raise CommandError(str(refusal)) from refusal
        for system, number in added.n_checks.items():
            self.stdout.write(f"{added.study}: checks with captions of {system}: {number}")
        if not added.every:
            self.stdout.write("the design mixes no checks in yet: set how often under checks, `every`")
