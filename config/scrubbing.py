"""Takes out of what is logged what leads to a person: addresses of visitors, secret paths, and what came with them.

An error may say the address of the page that it happened on, and those of raters hold tokens and, behind the question
mark, what a panel says of who comes. Logs are kept longer than those data, and by others.
"""

import logging
import re
from typing import Final

_GONE: Final = "[…]"
_RULES: Final = (
    # Raters' pages, shared reports and uploads: the token, and all that follows.
    (re.compile(r"/(r|as-rater|shared|studies/new)/[^\s'\"<>,;)]+"), rf"/\1/{_GONE}"),
    # Links of mails, with which a password is set or an address confirmed.
    (re.compile(r"/account/(password/reset|email)/[^\s'\"<>,;)]+"), rf"/account/\1/{_GONE}"),
    (re.compile(r"(?<=[\w/.\]])\?[^\s'\"<>]*=[^\s'\"<>]*"), f"?{_GONE}"),
    # What PostgreSQL adds to an error: the row, with its values.
    (re.compile(r"^(\s*DETAIL:).*$", re.MULTILINE), rf"\1 {_GONE}"),
    (re.compile(r"(?<![\w.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"), _GONE),
    # An address of IPv6 is written in eight parts, or with a gap in it.
    (re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}(?![\w:])"), _GONE),
    (re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F:.]*"), _GONE),
)


def scrub(text: str) -> str:
    """Return a line of a log, with a traceback if it has one, without what leads to a person."""
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


class ScrubbingFormatter(logging.Formatter):
    """Formats as its parent does, and scrubs the result."""

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))
