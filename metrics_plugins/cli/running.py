"""Runs a command whose arguments have been read, and turns how it ends into an exit code and a line."""

import argparse
import os
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Final

from execution.stopping import report_stop
from metrics_plugins.cli.output import indent_lines

FAILED_EXIT: Final = 1
USAGE_EXIT: Final = 2


def run_command(options: argparse.Namespace, *, errors: tuple[type[Exception], ...]) -> int:
    """Call `command` of the arguments and return its exit code; errors and stops have codes of their own.

    Args:
        options: The arguments; `kept` of them, if there, says what a stopped command keeps.
        errors: The errors about arguments and files, which are printed without a traceback: exit code 2.
    """
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        exit_code = command(options)
        sys.stdout.flush()
        return exit_code
    except errors as error:
        sys.stderr.write(f"error: {indent_lines(str(error))}\n")
        return USAGE_EXIT
    except BrokenExecutor as error:
        sys.stderr.write(f"error: the command ended before all was done: {error}; {_tell_kept(options)}\n")
        return FAILED_EXIT
    except KeyboardInterrupt as stopped:
        return report_stop(stopped, kept=_tell_kept(options))
    except BrokenPipeError:
        # The output pipe was closed (`| head`). This is not an error, but Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _tell_kept(options: argparse.Namespace) -> str:
    return getattr(options, "kept", "nothing was written")
