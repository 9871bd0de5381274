"""Which of Django's checks the project's commands do before they begin."""

from typing import Final

from django.core.checks import Tags

# Those of addresses load every page, which takes most of the time of a short command; `check` does all.
CHECKS_WITHOUT_PAGES: Final = (
    *(Tags.caches, Tags.commands, Tags.compatibility, Tags.database, Tags.files, Tags.models),
    *(Tags.security, Tags.signals, Tags.templates),
)
