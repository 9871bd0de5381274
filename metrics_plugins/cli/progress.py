"""The progress of steps as a bar on a terminal."""

import sys
from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")


def show_progress(steps: Iterable[T], *, total: int, label: str) -> Iterable[T]:
    """Yield the steps, and show a progress bar if standard error is a terminal."""
    return tqdm(steps, desc=label, total=total, file=sys.stderr, disable=None, leave=False)
