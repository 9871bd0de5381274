"""Codes that people read out to each other: pseudonyms and receipts."""

from random import Random
from typing import Final

# No letter or digit that is taken for another.
_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def make_code(rng: Random, *, length: int) -> str:
    """Return a code of so many letters and digits; `rng` decides whether it can be guessed."""
    return "".join(rng.choices(_LETTERS, k=length))
