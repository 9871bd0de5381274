"""Lift the limit on log-ins of a name or an address."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from studies.access.accounts.attempts import lift_limits


class Command(BaseCommand):
    help = "Let a name or an address log in again that has tried too many wrong passwords."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--name", default="", help="the name, as it is typed to log in")
        parser.add_argument("--address", default="", help="an IPv4 or IPv6 address; of IPv6 the whole /64 network")

    def handle(self, *args: Any, **chosen: Any) -> None:
        try:
            n_failures = lift_limits(username=chosen["name"], address=chosen["address"])
        except ValueError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"failures forgotten: {n_failures}")
