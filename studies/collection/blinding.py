"""Names on raters' pages that tell nothing: of an item neither its position in the data nor who wrote it.

All derive from the secret seed of the study by HMAC-SHA256. A page that is sent twice, or opened again, has the same
names, and nothing has to be stored for them.
"""

import hmac
from typing import Final

_NAME_DIGITS: Final = 16
_HALF: Final = 32
_ROUNDS: Final = 4


def name_item(pk: int, *, seed: str, scope: str) -> str:
    """Return what an item is called on a page: 16 hexadecimal digits, others in each `scope`."""
    return hmac.digest(seed.encode(), f"item/{scope}/{pk}".encode(), "sha256").hex()[:_NAME_DIGITS]


def mask_number(number: int, *, seed: str, scope: str) -> str:
    """Return a number as 16 hexadecimal digits from which only who has the seed can tell it, or its order."""
    left, right = divmod(number, 2**_HALF)
    for turn in range(_ROUNDS):
        left, right = right, left ^ _mix(right, turn, seed=seed, scope=scope)
    return f"{left:08x}{right:08x}"


def unmask_number(text: str, *, seed: str, scope: str) -> int | None:
    """Return the number that `mask_number` made this text of; None if the text is none of its form."""
    if len(text) != _NAME_DIGITS or not set(text) <= set("0123456789abcdef"):
        return None
    left, right = int(text[:8], 16), int(text[8:], 16)
    for turn in reversed(range(_ROUNDS)):
        left, right = right ^ _mix(left, turn, seed=seed, scope=scope), left
    return left * 2**_HALF + right


def _mix(half: int, turn: int, *, seed: str, scope: str) -> int:
    """Return the round function of a Feistel network; four rounds look random to any test (Luby and Rackoff, 1988)."""
    digest = hmac.digest(seed.encode(), f"mask/{scope}/{turn}/{half}".encode(), "sha256")
    return int.from_bytes(digest[:4], "big")
