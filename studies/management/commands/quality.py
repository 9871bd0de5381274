"""Print each rater's work in numbers and the declared rules that it breaks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from studies.domain.quality import apply_rules, report_quality
from studies.management.printing import find_study
from studies.management.quality_printing import print_quality


class Command(BaseCommand):
    help = "Print each rater's speed, sameness, agreement and checks, and the declared rules that are broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--apply", action="store_true", help="exclude those who break a rule; judgments are kept")
        parser.add_argument("--seed", type=int, default=0, help="of the permutations (default: %(default)s)")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        if chosen["apply"]:
            for decision in apply_rules(study, now=timezone.now(), seed=chosen["seed"]):
                self.stdout.write(f"excluded {decision.rater.pseudonym}: {decision.reason}")
        self.stdout.write(print_quality(report_quality(study, seed=chosen["seed"])))
