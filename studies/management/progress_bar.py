"""The progress of scoring on a terminal."""

import sys
from typing import Any, Self

from tqdm import tqdm

from studies.scoring.pipeline import Watch


class ProgressBar(Watch):
    """A progress bar of chunks on a terminal; nothing elsewhere."""

    def __init__(self) -> None:
        self.bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def note_planned(self, label: str, *, n_chunks: int) -> None:
        self.__exit__()
        hidden = not sys.stderr.isatty()
        self.bar = tqdm(desc=f"references {label}", total=n_chunks, unit="chunk", leave=False, disable=hidden)

    def note_chunks(self, metric: str, *, n_chunks: int, n_present: int = 0) -> None:
        if self.bar is not None:
            self.bar.update(n_chunks - n_present)
