"""What a phase of a challenge requires of results, fetched from its server."""

import json
import os
from dataclasses import dataclass
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from metrics_plugins.cli.errors import UsageError
from metrics_plugins.readers.records import shorten
from metrics_plugins.readers.results import MAX_CHARACTERS

TOKEN_VARIABLE: Final = "ACCORDANCE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable with the API token that challenges for members need."""

_SECONDS: Final = 60
_LARGEST_ANSWER: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ResultRules:
    """What `read_results` checks, with the meanings of its arguments."""

    image_ids: tuple[str, ...]
    captions_per_image: int = 1
    max_characters: int = MAX_CHARACTERS
    allow_empty: bool = False


def fetch_rules(address: str) -> ResultRules:
    """Return the rules of the phase with this API address, `https://HOST/api/v1/challenges/NAME/phases/PHASE/`.

    The token in `ACCORDANCE_TOKEN`, if any, is sent to this address only, not to one that it redirects to.

    Raises:
        UsageError: The address is invalid or cannot be reached, or does not answer with the rules of a phase.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise UsageError(f"--challenge must be an address that begins with https://, got {address}")
    request = Request(address, headers={"Accept": "application/json"})  # noqa: S310 - checked above
    token = os.environ.get(TOKEN_VARIABLE)
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request, timeout=_SECONDS) as response:  # noqa: S310 - checked above
            content = response.read(_LARGEST_ANSWER + 1)
    except HTTPError as error:
        hint = f" (is the token in {TOKEN_VARIABLE} right?)" if error.code in (401, 403, 404) else ""
        raise UsageError(f"--challenge {address} answers {error.code} {error.reason}{hint}") from error
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise UsageError(f"--challenge {address} cannot be reached: {reason}") from error
    if len(content) > _LARGEST_ANSWER:
        raise UsageError(f"--challenge {address} must answer with at most {_LARGEST_ANSWER:,} bytes, got more")
    return _read_rules(content, address=address)


def _read_rules(content: bytes, *, address: str) -> ResultRules:
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--challenge {address} must answer with JSON; is it the API's address of a phase?") from error
    if not isinstance(answer, dict) or not isinstance(answer.get("image_ids"), list) or not answer["image_ids"]:
        raise UsageError(f"--challenge {address} must answer with a phase's 'image_ids', got {shorten(answer)}")
    return ResultRules(
        image_ids=tuple(map(str, answer["image_ids"])),
        captions_per_image=_read_number(answer, "captions_per_image", default=1, address=address),
        max_characters=_read_number(answer, "max_characters", default=MAX_CHARACTERS, address=address),
        allow_empty=answer.get("allow_empty") is True,
    )


def _read_number(answer: dict[str, Any], field: str, *, default: int, address: str) -> int:
    value = answer.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(f"--challenge {address}: {field!r} must be a whole number from 1, got {shorten(value)}")
    return value
