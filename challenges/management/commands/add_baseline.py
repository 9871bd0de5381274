"""Add a baseline to a phase of a challenge."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from challenges.baselines.adding import add_baseline
from challenges.baselines.planned import open_planned
from challenges.enums import BaselineKind
from challenges.errors import ChallengeRefused
from challenges.hosting.plans import BaselinePlan
from challenges.models import Phase
from studies.access.audit import COMMAND_LINE
from studies.management.refusals import RefusingCommand
from studies.shared.errors import SourceLocation
from studies.shared.schemas import read_value


class Command(RefusingCommand):
    help = "Add a baseline to a phase of a challenge, and queue its scoring."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("challenge", metavar="CHALLENGE")
        parser.add_argument("phase", metavar="PHASE")
        parser.add_argument("--kind", required=True, choices=BaselineKind.values, help="where its captions come from")
        parser.add_argument("--name", default="", help="name on the leaderboard (default: the kind)")
        parser.add_argument("--seed", type=int, default=1, help="of held-out references, for human (default: 1)")
        parser.add_argument("--captions", default="", metavar="FILE", help="captions of training images")
        parser.add_argument("--features", default="", metavar="PATH", help="features of these images: .npz or a folder")
        parser.add_argument(
            "--test-features", default="", metavar="PATH", help="features of the phase's images (default: --features)"
        )
        parser.add_argument("--neighbours", type=int, default=1, help="for nearest-neighbour (default: 1)")
        parser.add_argument("--results", default="", metavar="FILE", help="results, for file")

    def handle(self, *args: Any, **chosen: Any) -> None:
        phase = Phase.objects.filter(challenge__slug=chosen["challenge"], slug=chosen["phase"]).first()
        if phase is None:
            raise ChallengeRefused(f"there is no phase {chosen['phase']!r} of a challenge {chosen['challenge']!r}")
        given = {each.name: chosen[each.name] for each in fields(BaselinePlan)}
        plan: BaselinePlan = read_value(BaselinePlan, given, SourceLocation("the arguments"))
        new = open_planned(plan, phase, folder=Path())
        made = add_baseline(phase, new, actor=COMMAND_LINE, now=timezone.now())
        self.stdout.write(f"baseline {made.submission.team.name}: queued for scoring in phase {phase.slug}")
