"""Read and write captions and labels in the original's formats, caption.txt and agreement.txt."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from captioning.worlds.errors import BadCaptionFile
from metrics_plugins.readers.groups import split_groups

_LABELS = {1: "1.0", -1: "0.0", 0: "0.5", None: "nan"}


def read_captions(path: Path, *, n_worlds: int) -> tuple[tuple[str, ...], ...]:
    """Return the captions of each world.

    With several captions per world, an empty line follows each world; with one, each line is the caption of a world.
    Raises `BadCaptionFile` if the number of worlds differs.
    """
    try:
        groups = split_groups(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadCaptionFile(f"{path}: cannot be read: {error}") from error
    blocks = [tuple(caption for _, caption in group) for group in groups]
    if n_worlds == 1 and all(len(block) == 1 for block in blocks):
        blocks = [tuple(caption for (caption,) in blocks)]
    if len(blocks) != n_worlds:
        raise BadCaptionFile(
            f"{path}: must have captions for each of the {n_worlds} worlds (an empty line after each world, or one "
            f"caption a world and no empty line), got {len(blocks)} groups of captions"
        )
    return tuple(blocks)


def format_captions(captions: Iterable[Sequence[str]]) -> str:
    """Return the content of caption.txt: an empty line after each world, unless each world has a single caption."""
    rows = [tuple(each) for each in captions]
    end = "" if all(len(row) == 1 for row in rows) else "\n"
    return "".join("".join(f"{caption}\n" for caption in row) + end for row in rows)


def format_agreement(values: Iterable[Sequence[int | None]]) -> str:
    """Return the content of agreement.txt: 1.0 true, 0.0 false, 0.5 ambiguous, nan where there is no proposition."""
    return "".join(";".join(_LABELS[value] for value in row) + "\n" for row in values)


def read_agreement(path: Path) -> tuple[tuple[float, ...], ...]:
    """Return the labels of each world; raises `BadCaptionFile` naming a line that is not a list of numbers."""
    rows: list[tuple[float, ...]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            rows.append(tuple(float(label) for label in line.split(";")))
        except ValueError as error:
            raise BadCaptionFile(f"{path}: line {number}: must be numbers joined by `;`, got {line!r}") from error
    return tuple(rows)
