"""Create a draft of a challenge from a plan."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from challenges.hosting.actions import find_problems
from challenges.hosting.creation import make_challenge
from challenges.hosting.leaks import list_leak_bounds
from challenges.hosting.plans import read_plan
from studies.access.audit import COMMAND_LINE
from studies.datasets.importing.files.opening import open_file
from studies.datasets.importing.formats import find_owner
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Create a draft of a challenge from a plan (TOML), and say what prevents its opening."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("plan", type=Path, metavar="FILE", help="the plan of the challenge")
        parser.add_argument("--owner", metavar="USERNAME", help="user who owns the challenge")

    def handle(self, *args: Any, **chosen: Any) -> None:
        now = timezone.now()
        owner = find_owner(chosen["owner"]) if chosen["owner"] else None
        plan = read_plan(open_file(chosen["plan"]))
        challenge = make_challenge(plan, owner=owner, actor=COMMAND_LINE, now=now)
        self.stdout.write(f"challenge {challenge.slug}: a draft with {challenge.phases.count()} phases")
        for problem in find_problems(challenge, now=now):
            self.stdout.write(f"before it can be opened: {problem}")
        for phase, bound in list_leak_bounds(challenge):
            self.stdout.write(
                f"phase {phase.slug}: its results tell a team at most {bound.one_team:,} bits about the "
                f"references, {bound.per_submission:.1f} for each of {bound.n_submissions:,} submissions"
            )
