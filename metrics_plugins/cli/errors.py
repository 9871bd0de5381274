"""What a user can do wrong on the command line, beyond what argparse sees."""


class UsageError(Exception):
    """An argument breaks a rule; the message names it."""
