"""For how long what is given out may be good: links, tokens and offers all end on a day."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings


class DaysRefused(ValueError):
    """So many days may not be had; the message says how many may."""


@dataclass(frozen=True, slots=True)
class Term:
    """How many days something is good for: unless told otherwise, and at most."""

    default: int
    most: int

    def find_end(self, days: int | None, *, now: datetime) -> datetime:
        """Return when something that is made now ends; None days for the default.

        Raises:
            DaysRefused: Fewer days than one or more than the most.
        """
        chosen = self.default if days is None else days
        if not 1 <= chosen <= self.most:
            raise DaysRefused(f"`days` must be from 1 to {self.most}, got {chosen}")
        return now + timedelta(days=chosen)


def read_link_term() -> Term:
    """Return how long links to reports may be good."""
    return _make_term(settings.ACCORDANCE_LINK_DAYS, settings.ACCORDANCE_LINK_DAYS_MOST)


def read_token_term() -> Term:
    """Return how long tokens of programs may be good."""
    return _make_term(settings.ACCORDANCE_TOKEN_DAYS, settings.ACCORDANCE_TOKEN_DAYS_MOST)


def read_offer_term() -> Term:
    """Return how long the offer of a study waits for an answer."""
    return _make_term(settings.ACCORDANCE_OFFER_DAYS, settings.ACCORDANCE_OFFER_DAYS)


def _make_term(default: int, most: int) -> Term:
    # Nothing is good for ever: 0, which is no limit elsewhere, is one day here.
    return Term(default=max(1, min(default, most)), most=max(1, most))
