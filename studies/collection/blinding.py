"""Opaque names on raters' pages, which reveal neither the position of an item in the data nor the author of a caption.

They are derived from the study's secret seed by HMAC-SHA256. A page that is sent or opened again has the same names,
and nothing needs to be stored for them.
"""

import hmac
from typing import Final

_NAME_DIGITS: Final = 16
_HALF: Final = 32
_ROUNDS: Final = 4


def name_item(pk: int, *, seed: str, scope: str) -> str:
    """Return the name of an item on a page: 16 hexadecimal digits that depend on the `scope`."""
    return hmac.digest(seed.encode(), f"item/{scope}/{pk}".encode(), "sha256").hex()[:_NAME_DIGITS]


def mask_number(number: int, *, seed: str, scope: str) -> str:
    """Encrypt a number as 16 hexadecimal digits, which reveal neither the number nor its order without the seed."""
    left, right = divmod(number, 2**_HALF)
    for turn in range(_ROUNDS):
        left, right = right, left ^ _mix(right, turn, seed=seed, scope=scope)
    return f"{left:08x}{right:08x}"


def unmask_number(text: str, *, seed: str, scope: str) -> int | None:
    """Return the number encrypted by `mask_number`; None if the text does not have its format."""
    if len(text) != _NAME_DIGITS or not set(text) <= set("0123456789abcdef"):
        return None
    left, right = int(text[:8], 16), int(text[8:], 16)
    for turn in reversed(range(_ROUNDS)):
        left, right = right ^ _mix(left, turn, seed=seed, scope=scope), left
    return left * 2**_HALF + right


def _mix(half: int, turn: int, *, seed: str, scope: str) -> int:
    """Return the round function of a Feistel network; four rounds are pseudorandom (Luby and Rackoff, 1988)."""
    digest = hmac.digest(seed.encode(), f"mask/{scope}/{turn}/{half}".encode(), "sha256")
    return int.from_bytes(digest[:4], "big")
