"""Load the demo studies, score and correlate them, and serve them."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from studies.management.printing.results import print_results
from studies.management.refusals import RefusingCommand
from studies.management.serving import LOOPBACK, add_address_arguments, check_address, prepare_database, serve
from studies.simulation.demo.running import DemoResult, run_demo


class Command(RefusingCommand):
    help = "Load small studies of each kind with simulated or computed judgments; score, correlate and serve them."

    def add_arguments(self, parser: CommandParser) -> None:
        add_address_arguments(parser)
        parser.add_argument("--no-serve", action="store_true", help="stop before serving")

    def handle(self, *args: Any, **chosen: Any) -> None:
        if not chosen["no_serve"]:
            check_address(chosen["host"], chosen["port"])
        prepare_database()
        result = run_demo(settings.BASE_DIR / "fixtures" / "demo", now=timezone.now)
        self.stdout.write("All judgments below are simulated or computed; they were not made by people.")
        for study, found in zip(result.closed_studies, result.results, strict=True):
            self.stdout.write(f"\n{study.title}\n{print_results(found)}\n")
        if result.left_out:
            left_out = ", ".join(name for name, _ in result.left_out)
            self.stdout.write(f"Not run, because they need packages that are not installed (see README): {left_out}\n")
        self.stdout.write(_print_links(result, site=f"http://{chosen['host']}:{chosen['port']}"))
        if result.failures:
            raise CommandError("\n".join(f"metric {name}: {reason}" for name, reason in result.failures))
        if not chosen["no_serve"]:
            self.stdout.write("\nServing until Ctrl-C.")
            if chosen["host"] in LOOPBACK:
                os.environ.setdefault("ACCORDANCE_SIGN_UP", "open")
            serve(**{name: chosen[name] for name in ("host", "port", "workers", "background")})


def _print_links(result: DemoResult, *, site: str) -> str:
    rate = [f"  {site}{reverse('annotation_ui:join', args=[study.join_token])}" for study in result.open_studies]
    read = [f"  {site}{reverse('studies:study', args=[study.name])}" for study in result.closed_studies]
    login = f"Log in at {site}{reverse('account_login')} as {result.username}, password {result.password}"
    return "\n".join(["Try rating yourself:", *rate, "", login, f"  {site}{reverse('studies:list')}", *read])
