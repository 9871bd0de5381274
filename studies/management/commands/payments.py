"""Print the earnings of raters, decide on top-ups, and write the list of payees."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from correlation.csv_lines import write_csv
from execution.whole_files import PRIVATE, write_whole
from studies.access.audit import record_names
from studies.collection.pay.claims import pay_claim
from studies.collection.pay.earnings import decide_top_ups, list_payees, pay_out, report_pay
from studies.management.printing.pay import print_pay
from studies.management.printing.results import find_study
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Print the hourly earnings of the raters of a study, the amounts owed, and the remaining budget."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--decide", action="store_true", help="record the owed top-ups as payments")
        parser.add_argument("--payees", metavar="FILE", help="write participant,amount,currency of unpaid payments")
        parser.add_argument(
            "--paid",
            action="store_true",
            help="record the payments written by --payees as paid, so that they are written only once",
        )
        parser.add_argument("--claim", metavar="RECEIPT", help="record the amount owed on a withdrawal receipt as paid")
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        study, now = find_study(chosen["study"]), timezone.now()
        if chosen["paid"] and not chosen["payees"]:
            raise CommandError("--paid requires --payees: payments recorded as paid must be written to a file")
        done = []
        if chosen["claim"]:
            claim = pay_claim(study, chosen["claim"], now=now)
            done.append(f"recorded as paid: {claim.amount:.2f} {claim.currency} on receipt {claim.receipt}")
        if chosen["decide"]:
            done.append(f"{len(decide_top_ups(study, now=now))} payments recorded")
        report = report_pay(study)
        printed = print_values({**asdict(report), "done": done}) if chosen["json"] else print_pay(report)
        self.stdout.write(printed if chosen["json"] else "\n".join([*done, printed]))
        if chosen["payees"]:
            # In one transaction, so that payments are recorded only if the file is written.
            with transaction.atomic():
                payees = pay_out(study, now=now) if chosen["paid"] else list_payees(study)
                lines = write_csv(("participant", "amount", "currency"), payees)
                write_whole(Path(chosen["payees"]), "".join(lines).encode(), mode=PRIVATE)
                record_names(study, people=len(payees), command="payments", now=now)
