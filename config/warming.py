"""The warm-up of a server process before its first request."""

from django.conf import settings
from django.urls import get_resolver


def warm() -> None:
    """Import all views, list the bundled metrics and read the program's own sources, about a second of CPU time.

    Secrets that cannot be read are an error now instead of on the first page that needs them.
    """
    from studies.analysis.fingerprint import stamp_program
    from studies.scoring.plugins.catalog import load_bundled

    _ = str(settings.SECRET_KEY), str(settings.ACCORDANCE_IDENTITY_KEY)
    _ = get_resolver().url_patterns
    load_bundled()
    stamp_program()
