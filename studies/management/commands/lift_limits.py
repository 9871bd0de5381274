"""Lift the limit of failed log-ins for a name or an address."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from studies.access.accounts.attempts import lift_limits
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Unlock a username or an address after too many failed logins."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--name", default="", help="the username, as entered at login")
        parser.add_argument(
            "--address", default="", help="an IPv4 or IPv6 address; for IPv6, the whole /64 network is unlocked"
        )

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            n_failures = lift_limits(username=chosen["name"], address=chosen["address"])
        except ValueError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"failed logins cleared: {n_failures}")
