"""What a server process does before its first request, so that whoever comes first need not wait for it."""

from django.urls import get_resolver


def warm() -> None:
    """Import all pages, list the bundled metrics and read the program's own sources: a second of processor time."""
    from studies.analysis.fingerprint import stamp_program
    from studies.scoring.plugin_catalog import load_bundled

    _ = get_resolver().url_patterns
    load_bundled()
    stamp_program()
