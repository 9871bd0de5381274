"""Captions as plain text: a line for each caption, and an empty line after the captions of each image."""

from pathlib import Path

from metrics_plugins.readers.records import CaptionFile, CaptionRecord
from metrics_plugins.readers.text import read_text


def read_groups(path: Path) -> CaptionFile:
    """Read captions in lines, as ShapeWorld writes them (`caption.txt`); images are numbered from 0.

    An empty line ends the captions of an image. In a file without empty lines each line is the caption of an image.

    Raises:
        InputError: The file cannot be read.
    """
    groups = split_groups(read_text(path))
    records = [
        CaptionRecord(image_id=str(image), caption=caption, number=number)
        for image, group in enumerate(groups)
        for number, caption in group
    ]
    return CaptionFile(path=path, unit="line", records=tuple(records))


def split_groups(text: str) -> list[list[tuple[int, str]]]:
    """Return the lines of each group, stripped and with their numbers from 1; see `read_groups`."""
    # The last line break ends a line, so that a file of groups still has the empty line after its last group.
    lines = [(number, line.strip()) for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1)]
    if all(line for _, line in lines):
        return [[line] for line in lines]
    groups: list[list[tuple[int, str]]] = [[]]
    for number, line in lines:
        if line:
            groups[-1].append((number, line))
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]
