"""Create a draft of a challenge from a plan."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from challenges.hosting.actions import find_problems
from challenges.hosting.creation import make_challenge
from challenges.hosting.leak_bound import bound_leak
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
        challenge = make_challenge(plan, owner=owner, actor=COMMAND_LINE, now=now, folder=chosen["plan"].parent)
        self.stdout.write(f"challenge {challenge.slug}: a draft with {challenge.phases.count()} phases")
        for phase in challenge.phases.all():
            leak = bound_leak(phase)
            self.stdout.write(
                f"phase {phase.slug}: scores reveal at most {leak.per_submission:.1f} bits of the references for each "
                f"submission, {leak.per_team:,.0f} to a team, {leak.in_all:,.0f} to all {challenge.most_teams:,}"
            )
        for problem in find_problems(challenge, now=now):
            self.stdout.write(f"before it can be opened: {problem}")
