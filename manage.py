#!/usr/bin/env python
"""Runs Accordance's commands."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        # Every step of a command is stored as a whole or not at all.
        sys.stderr.write("\nstopped: what was complete is kept\n")
        sys.exit(130)
