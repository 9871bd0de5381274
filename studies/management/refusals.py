"""Turns expected exceptions of calls into errors of commands."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from captioning.api import CaptionerError
from correlation.errors import CorrelationInputError, UnknownNameError
from metrics_plugins.api import MetricError
from metrics_plugins.readers import InputError
from studies.design.deviations import DeviationNotConfirmed
from studies.shared.errors import Refusal

REFUSALS = (Refusal, CaptionerError, MetricError, InputError, CorrelationInputError, UnknownNameError)


class RefusingCommand(BaseCommand):
    """A command that ends with the message of an expected exception, without a traceback."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DeviationNotConfirmed as error:
            raise CommandError(f"{error}. To do it nevertheless, add --confirm-deviation.") from error
        except REFUSALS as error:
            raise CommandError(str(error)) from error


class ReadingCommand(RefusingCommand):
    """A command that only reads; it skips Django's checks of the project, which load every page and take a second."""

    requires_system_checks: Sequence[str] = []
