"""The periods of validity of links, tokens and offers, which all expire."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from studies.shared.errors import Refusal


class DaysRefused(Refusal, ValueError):
    """The number of days is not allowed; the message states the maximum."""


@dataclass(frozen=True, slots=True)
class Term:
    """The default and the maximum period of validity in days."""

    default: int
    most: int

    def find_end(self, days: int | None, *, now: datetime) -> datetime:
        """Return when something created now expires; None days for the default.

        Raises:
            DaysRefused: There are fewer days than one or more than the maximum.
        """
        chosen = self.default if days is None else days
        if not 1 <= chosen <= self.most:
            raise DaysRefused(f"`days` must be from 1 to {self.most}, got {chosen}")
        return now + timedelta(days=chosen)


def read_link_term() -> Term:
    """Return the period of validity of links to reports."""
    return _make_term(settings.ACCORDANCE_LINK_DAYS, settings.ACCORDANCE_LINK_DAYS_MOST)


def read_token_term() -> Term:
    """Return the period of validity of API tokens."""
    return _make_term(settings.ACCORDANCE_TOKEN_DAYS, settings.ACCORDANCE_TOKEN_DAYS_MOST)


def read_offer_term() -> Term:
    """Return the period in which the offer of a study can be accepted."""
    return _make_term(settings.ACCORDANCE_OFFER_DAYS, settings.ACCORDANCE_OFFER_DAYS)


def _make_term(default: int, most: int) -> Term:
    # Nothing is valid forever: 0, which means no limit in other settings, is one day here.
    return Term(default=max(1, min(default, most)), most=max(1, most))
