#!/usr/bin/env python
"""Runs Accordance's commands."""

import os
import sys

from django.core.management import execute_from_command_line

from execution.stopping import exiting_when_stopped

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Every step of a command is stored as a whole or not at all.
    with exiting_when_stopped(kept="what was complete is kept"):
        execute_from_command_line(sys.argv)
