"""Turns expected exceptions of calls into errors of commands."""

import sys
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import DatabaseError, connection

from captioning.api import CaptionerError
from correlation.errors import CorrelationInputError, UnknownNameError
from execution.errors import ClusterFailed
from jobs.management.checks import CHECKS_WITHOUT_PAGES
from metrics_plugins.api import MetricError
from metrics_plugins.readers import InputError
from metrics_plugins.runtime.printing import keeping_stdout
from studies.design.preregistration.deviations import DeviationNotConfirmed
from studies.shared.errors import DatabaseUnavailable, Refusal
from studies.storage.outages import ServiceUnreachable

REFUSALS = (
    Refusal,
    CaptionerError,
    MetricError,
    InputError,
    CorrelationInputError,
    UnknownNameError,
    ClusterFailed,
    ServiceUnreachable,
)


class RefusingCommand(BaseCommand):
    """A command that ends with the message of an expected exception, without a traceback.

    Attributes:
        runs_plugins: Whether it runs code of plugins in its process, which may start programs that print.
    """

    runs_plugins = False
    requires_system_checks: Sequence[str] = CHECKS_WITHOUT_PAGES

    def run_from_argv(self, argv: list[str]) -> None:
        if not self.runs_plugins:
            super().run_from_argv(argv)
            return
        with keeping_stdout():
            self.stdout = OutputWrapper(sys.stdout)
            super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DeviationNotConfirmed as error:
            raise CommandError(f"{error}. To do it nevertheless, add --confirm-deviation.") from error
        except REFUSALS as error:
            raise CommandError(str(error)) from error
        except DatabaseUnavailable as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            if connection.in_atomic_block or connection.introspection.table_names():
                raise
            raise CommandError(
                "the database has no tables: `migrate` makes them, and `demo` fills them with small studies"
            ) from error


class ReadingCommand(RefusingCommand):
    """A command that only reads; it skips Django's checks of the project."""

    requires_system_checks: Sequence[str] = []
