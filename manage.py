#!/usr/bin/env python
"""Runs Accordance's commands."""

import os
import sys

from django.core.management import execute_from_command_line

from execution.stopping import choose_exit, raise_at_sigterm

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    raise_at_sigterm()
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt as stopped:
        # Every step of a command is stored as a whole or not at all.
        sys.stderr.write("\nstopped: what was complete is kept\n")
        sys.exit(choose_exit(stopped))
