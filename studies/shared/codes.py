"""Codes for people to read out: pseudonyms and receipts."""

from random import Random
from typing import Final

# Without letters and digits that look alike.
_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def make_code(rng: Random, *, length: int) -> str:
    """Return a random code of letters and digits; whether it can be guessed depends on `rng`."""
    return "".join(rng.choices(_LETTERS, k=length))
