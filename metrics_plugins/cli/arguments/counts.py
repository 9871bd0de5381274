"""Whole numbers as types of arguments."""

import argparse


def read_count(text: str) -> int:
    """Parse a whole number of at least 1, for argparse."""
    return _read(text, least=1)


def read_whole(text: str) -> int:
    """Parse a whole number of at least 0, for argparse."""
    return _read(text, least=0)


def _read(text: str, *, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, got {text!r}")
    return int(text)
