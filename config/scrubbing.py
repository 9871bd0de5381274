"""Removes personal data from logs: network addresses, secret paths, and query parameters.

Errors may contain the address of the page, and those of raters' pages contain tokens and, in the query, the panel's
parameters that identify the rater. Logs are kept for longer than these data, and by other people.
"""

import logging
import re
from typing import Final

_GONE: Final = "[…]"
_RULES: Final = (
    # The token in addresses of raters' pages, shared reports, uploads and invitations, and everything after it.
    (re.compile(r"/(r|as-rater|shared|studies/new|team-invitations)/[^\s'\"<>,;)]+"), rf"/\1/{_GONE}"),
    # Links in emails for setting a password or confirming an address.
    (re.compile(r"/account/(password/reset|email)/[^\s'\"<>,;)]+"), rf"/account/\1/{_GONE}"),
    (re.compile(r"(?<=[\w/.\]])\?[^\s'\"<>]*=[^\s'\"<>]*"), f"?{_GONE}"),
    # PostgreSQL's error details contain the values of the row.
    (re.compile(r"^(\s*DETAIL:).*$", re.MULTILINE), rf"\1 {_GONE}"),
    (re.compile(r"(?<![\w.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"), _GONE),
    # IPv6 addresses have eight parts or a gap (`::`).
    (re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}(?![\w:])"), _GONE),
    (re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F:.]*"), _GONE),
)


def scrub(text: str) -> str:
    """Return a log message, with its traceback if any, without personal data."""
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


class ScrubbingFormatter(logging.Formatter):
    """Formats like its base class, and removes personal data."""

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))
