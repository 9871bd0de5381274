"""Print what raters earn, decide on top-ups, and write whom to pay."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from correlation.csv_lines import write_csv
from studies.access.auditing import record_names
from studies.collection.pay.claims import NoClaim, pay_claim
from studies.collection.pay.paying import NothingPromised, decide_top_ups, list_payees, pay_out, report_pay
from studies.management.printing.pay import print_pay
from studies.management.printing.results import find_study
from studies.shared.private_files import write_private


class Command(BaseCommand):
    help = "Print what the raters of a study earn by the hour, what they are owed, and what is left of the budget."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study")
        parser.add_argument("--decide", action="store_true", help="record the top-ups that are owed as payments")
        parser.add_argument("--payees", metavar="FILE", help="write participant,amount,currency of what is not paid")
        parser.add_argument("--paid", action="store_true", help="record what --payees writes as paid, to name it once")
        parser.add_argument("--claim", metavar="RECEIPT", help="record as paid what is owed on a withdrawal's receipt")

    def handle(self, *args: Any, **chosen: Any) -> None:
        study, now = find_study(chosen["study"]), timezone.now()
        if chosen["paid"] and not chosen["payees"]:
            raise CommandError("--paid goes with --payees: what is recorded as paid must stand in a file")
        try:
            if chosen["claim"]:
                claim = pay_claim(study, chosen["claim"], now=now)
                self.stdout.write(f"recorded as paid: {claim.amount:.2f} {claim.currency} on receipt {claim.receipt}")
            if chosen["decide"]:
                self.stdout.write(f"{len(decide_top_ups(study, now=now))} payments decided")
            self.stdout.write(print_pay(report_pay(study)))
        except (NothingPromised, NoClaim) as refusal:
            raise CommandError(str(refusal)) from refusal
        if chosen["payees"]:
            # What cannot be written is not recorded either.
            with transaction.atomic():
                payees = pay_out(study, now=now) if chosen["paid"] else list_payees(study)
                write_private(Path(chosen["payees"]), write_csv(("participant", "amount", "currency"), payees))
                record_names(study, people=len(payees), command="payments", now=now)
