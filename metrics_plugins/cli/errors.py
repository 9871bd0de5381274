"""Errors in command line arguments that argparse does not detect."""


class UsageError(Exception):
    """An argument is invalid; the message names it."""
