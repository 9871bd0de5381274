"""The warm-up of a server process before its first request."""

import gc

from django.conf import settings
from django.urls import get_resolver


def warm() -> None:
    """Import all views, list the bundled metrics and read the program's own sources, about a second of CPU time.

    Secrets that cannot be read are an error now instead of on the first page that needs them.
    """
    from studies.analysis.fingerprint import stamp_program
    from studies.scoring.plugins.catalog import load_bundled

    _ = str(settings.SECRET_KEY), str(settings.ACCORDANCE_IDENTITY_KEY)
    # What is imported stays until the process ends: to look through it for garbage takes an eighth of the time of the
    # imports, and later a tenth of a second of a request now and then.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        _ = get_resolver().url_patterns
        load_bundled()
        stamp_program()
        gc.freeze()
    finally:
        if was_enabled:
            gc.enable()
