"""Add checks with distorted captions to a draft."""

from typing import Any

import numpy as np
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from metrics_plugins.text.distortions import Distortion
from studies.design.perturbed_checks import DISTORTIONS, add_perturbed_checks
from studies.management.confirming import add_confirmation_arguments, read_confirmation
from studies.management.printing.results import find_study, split_names
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Add checks with perturbed captions to a draft with ratings; `quality` tests each rater with them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY")
        parser.add_argument("--number", type=int, required=True, metavar="N", help="number of checks")
        every = ",".join(DISTORTIONS)
        parser.add_argument("--distortions", default=every, metavar="A,B", help="default: %(default)s")
        parser.add_argument("--seed", type=int, default=0, help="seed of the random sample (default: %(default)s)")
        add_confirmation_arguments(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        names = split_names(chosen["distortions"])
        unknown = [name for name in names if name not in DISTORTIONS]
        if unknown:
            raise CommandError(f"--distortions: must be of {', '.join(DISTORTIONS)}, got {', '.join(unknown)}")
        distortions = [Distortion(name) for name in names]
        rng = np.random.default_rng(chosen["seed"])
        added = add_perturbed_checks(
            study,
            number=chosen["number"],
            rng=rng,
            now=timezone.now(),
            distortions=distortions,
            confirmation=read_confirmation(chosen),
        )
        for system, number in added.n_checks.items():
            self.stdout.write(f"{added.study}: checks with captions of {system}: {number}")
        if not added.every:
            self.stdout.write("the design does not use checks yet: set their frequency with the field `checks.every`")
