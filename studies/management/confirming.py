"""The options of commands that confirm a deviation from a preregistration."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from studies.design.preregistration.deviations import Confirmation


def add_confirmation_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--confirm-deviation", action="store_true", help="do it even if it deviates from the preregistration"
    )
    parser.add_argument("--deviation-reason", default="", metavar="TEXT", help="the reason, for the history")


def read_confirmation(chosen: Mapping[str, Any]) -> Confirmation:
    """Return the confirmation that the options give."""
    return Confirmation(chosen["confirm_deviation"], chosen["deviation_reason"].strip())
