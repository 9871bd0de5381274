"""Reads single values of data sets, checked against the limits of the data model."""

import math
import re
from typing import Final

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted

_SLUG: Final = re.compile(r"[a-zA-Z0-9_-]{1,90}")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def read_text(value: object, location: SourceLocation) -> str:
    """Return a caption, which may be empty and may contain any line-break character."""
    if not isinstance(value, str):
        raise ImportFailed(location, "must be text", got=value)
    if "\0" in value:
        raise ImportFailed(location, "must not contain the character NUL", got=value)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ImportFailed(
            location, "must be text without unpaired surrogates", got=Unquoted(ascii(value)[:80])
        ) from error
    return value


def read_key(value: object, location: SourceLocation, *, longest: int) -> str:
    """Return a key of records: a non-blank string or a whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to print integers with thousands of digits; no id is that long.
        if abs(value) >= 10**30:
            raise ImportFailed(location, "must have at most 30 digits")
        text = str(value)
    else:
        text = read_text(value, location)
    if not text.strip():
        raise ImportFailed(location, "must not be blank")
    if len(text) > longest:
        raise ImportFailed(
            location, f"may have at most {longest} characters", got=Unquoted(f"{len(text)}: {text[:40]}...")
        )
    return text


def read_number(value: object, location: SourceLocation) -> float:
    """Return a finite number, given as a number or as text."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        number = float(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value) if abs(value) < 1e300 else math.inf
    else:
        raise ImportFailed(location, "must be a number", got=value)
    if not math.isfinite(number):
        raise ImportFailed(location, "must be a finite number", got=Unquoted(str(value)[:40]))
    return number


def read_count(text: str, location: SourceLocation, *, most: int) -> int:
    """Return a whole number from 0 to `most`, given in decimal digits."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
        raise ImportFailed(location, f"must be a whole number from 0 to {most}", got=text)
    return int(text)


def check_name(name: str) -> str:
    """Return the name of a study if it is valid for addresses and commands."""
    if not _SLUG.fullmatch(name):
        raise ImportFailed("--study", "must be 1 to 90 letters, digits, hyphens and underscores", got=name)
    return name
