"""The command line of a process that runs a management command."""

import sys


def make_command_line(*arguments: str) -> list[str]:
    """Return the command line that runs `manage.py ARGUMENTS` in a process with this environment and working folder.

    An installed package has no `manage.py`; `python -m django` needs none.
    """
    return [sys.executable, "-m", "django", *arguments]
