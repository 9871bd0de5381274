"""What a domain call refuses, said by a command in its own words."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from correlation.errors import CorrelationInputError, UnknownNameError
from metrics_plugins.api import MetricError
from metrics_plugins.readers import InputError
from studies.scoring.errors import MissingScores

REFUSALS = (MissingScores, MetricError, InputError, CorrelationInputError, UnknownNameError)


@contextmanager
def say_refusals() -> Iterator[None]:
    """End the command with the message of what was refused, without a traceback."""
    try:
        yield
    except REFUSALS as error:
        raise CommandError(str(error)) from error
