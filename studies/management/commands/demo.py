"""Load and score the demo studies, and serve them."""

import os
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from studies.management.progress_bar import ProgressBar
from studies.management.refusals import RefusingCommand
from studies.management.serving import LOOPBACK, add_address_arguments, check_address, prepare_database, serve
from studies.scoring.study_scoring import NOT_INSTALLED
from studies.simulation.demo.running import DemoResult, request_intervals, run_demo


class Command(RefusingCommand):
    help = "Load small studies of each kind with simulated or computed judgments; score and serve them."

    def add_arguments(self, parser: CommandParser) -> None:
        add_address_arguments(parser)
        parser.add_argument("--no-serve", action="store_true", help="stop before serving")

    def handle(self, *args: Any, **chosen: Any) -> None:
        if not chosen["no_serve"]:
            check_address(chosen["host"], chosen["port"])
        self.stdout.write("Setting up the demo: studies, scores of metrics and a report. This takes a minute or two.")
        self.stdout.flush()
        prepare_database()
        with ProgressBar() as watch:
            result = run_demo(now=timezone.now, say=self._say, watch=watch)
        if not chosen["no_serve"]:
            # Without pages there is nothing to open.
            request_intervals(result, now=timezone.now)
        self.stdout.write(_print_links(result, site=f"http://{chosen['host']}:{chosen['port']}"))
        if result.failures:
            raise CommandError("\n".join(f"metric {name}: {reason}" for name, reason in result.failures))
        if not chosen["no_serve"]:
            self.stdout.write("\nServing until Ctrl-C.")
            if chosen["host"] in LOOPBACK:
                os.environ.setdefault("ACCORDANCE_SIGN_UP", "open")
            serve(**{name: chosen[name] for name in ("host", "port", "workers", "background")})

    def _say(self, step: str) -> None:
        self.stderr.write(f"  {step} ...")


def _print_links(result: DemoResult, *, site: str) -> str:
    """Return what can be seen without an account, the login, and the link for raters of each open study."""
    report = reverse("studies:public", args=[result.reported.name])
    width = max(len(study.title) for study in result.open_studies)
    rate = [
        f"  {study.title:{width}}  {site}{reverse('annotation_ui:join', args=[study.join_token])}"
        for study in result.open_studies
    ]
    lines = [
        f"Front page:   {site}{reverse('studies:front')}",
        f"A report:     {site}{report}",
        f"Log in:       {site}{reverse('account_login')} as {result.username}, password {result.password}",
        "Rate captions yourself:",
        *rate,
        "All other judgments are simulated or computed; they were not made by people.",
    ]
    if lacking := [name for name, reason in result.left_out if reason.startswith(NOT_INSTALLED)]:
        lines.append(
            f"Not run, because they need packages that are not installed: {', '.join(lacking)}; "
            "`accordance install-metrics` lists them and installs them"
        )
    return "\n".join(lines)
