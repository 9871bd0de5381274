"""Erase personal data whose time is over."""

from dataclasses import astuple
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studies.collection.privacy.erasure import erase_expired
from studies.collection.privacy.erasure_log import LogUnwritable
from studies.management.printing.tables import format_table


class Command(BaseCommand):
    help = "Erase who raters are where the retention time of their study is over. Run it daily; judgments stay."

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            erased = erase_expired(now=timezone.now())
        except LogUnwritable as refusal:
            raise CommandError(str(refusal)) from refusal
        if not erased:
            self.stdout.write("nobody's time is over")
            return
        rows = [[str(cell) for cell in astuple(one)] for one in erased]
        self.stdout.write(format_table(("study", "people", "identities erased", "kept until paid"), rows))
