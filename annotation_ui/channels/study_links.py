"""Absolute study links for panels, with placeholders for their parameters."""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.urls import reverse

from annotation_ui.channels.in_house import TOKEN
from studies.collection.arrival.invitations import Invited
from studies.models import Study

DEFAULT_BASE_URL: Final = "http://127.0.0.1:8000"


def make_study_link(study: Study, *, base_url: str, query: Mapping[str, str] | None = None, safe: str = "") -> str:
    """Return the address of a study; characters in `safe` are not percent-encoded in the query.

    Raises:
        ValueError: As for `make_site_link`.
    """
    link = make_site_link(reverse("annotation_ui:join", args=[study.join_token]), base_url=base_url)
    return f"{link}?{urlencode(query, safe=safe)}" if query else link


def make_site_link(path: str, *, base_url: str) -> str:
    """Return the absolute address of a path.

    Raises:
        ValueError: The base is not `https://HOST` or `http://HOST`, optionally with a port and a path.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError(f"--base-url must be the server's address, as in https://study.example.org, got {base_url!r}")
    return base_url.rstrip("/") + path


def list_links(study: Study, invited: Iterable[Invited], *, base_url: str) -> list[tuple[str, str]]:
    """Return (person, personal link) for each invited person."""
    return [
        (one.participant.participant_id, make_study_link(study, base_url=base_url, query={TOKEN: one.token}))
        for one in invited
    ]
