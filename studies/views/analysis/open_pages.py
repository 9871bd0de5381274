"""Names of the pages that are open in browsers, so that a page cancels only the jobs that itself has requested."""

import re
import secrets
from typing import Final

from django.http import HttpRequest

HEADER: Final = "Explorer-Pages"
"""The header in which the script of a page names it, and before it the pages that it has replaced in its tab."""

_NAMES: Final = re.compile(r"[\w-]{22}(?: [\w-]{22}){0,19}", re.ASCII)


def find_pages(request: HttpRequest) -> tuple[str, ...]:
    """Return the pages that the request names, the open one last; a page that is loaded gets an unguessable name."""
    said = request.headers.get(HEADER, "")
    return tuple(said.split()) if _NAMES.fullmatch(said) else (secrets.token_urlsafe(16),)
