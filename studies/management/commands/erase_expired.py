"""Erase personal data after the end of the retention period."""

from dataclasses import astuple
from typing import Any

from django.utils import timezone

from studies.collection.privacy.erasure import erase_expired
from studies.management.printing.tables import format_table
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Erase the identities of raters whose retention period is over. Run it daily; judgments are kept."

    def handle(self, *args: Any, **chosen: Any) -> None:
        erased = erase_expired(now=timezone.now())
        if not erased:
            self.stdout.write("no retention period is over")
            return
        rows = [[str(cell) for cell in astuple(one)] for one in erased]
        self.stdout.write(format_table(("study", "people", "identities erased", "kept until paid"), rows))
