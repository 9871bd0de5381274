"""Print statistics of each rater's work and the declared rules that it breaks."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from studies.management.printing.quality import print_quality
from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand
from studies.monitoring.quality import apply_rules, report_quality


class Command(RefusingCommand):
    help = "Print each rater's speed, repeated answers, agreement and checks, and the exclusion criteria they meet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument(
            "--apply", action="store_true", help="exclude raters who meet a criterion; judgments are kept"
        )
        parser.add_argument(
            "--give-back", action="store_true", help="with --apply: free their slots, so that other raters do the tasks"
        )
        add_json_argument(parser)
        parser.add_argument("--seed", type=int, default=0, help="seed of the permutations (default: %(default)s)")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study = find_study(chosen["study"])
        excluded = []
        if chosen["apply"]:
            applied = {"seed": chosen["seed"], "gives_slots_back": chosen["give_back"]}
            for decision in apply_rules(study, now=timezone.now(), **applied):
                freed = "" if decision.n_slots is None else f"; {decision.n_slots} slots freed"
                rater = decision.rater.pseudonym
                excluded.append({"rater": rater, "reason": decision.reason, "n_slots": decision.n_slots})
                if not chosen["json"]:
                    self.stdout.write(f"excluded {rater}: {decision.reason}{freed}")
        report = report_quality(study, seed=chosen["seed"])
        if chosen["json"]:
            self.stdout.write(print_values({**asdict(report), "excluded": excluded}))
        else:
            self.stdout.write(print_quality(report))
