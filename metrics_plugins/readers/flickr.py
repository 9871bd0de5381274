"""A reader of Flickr8k's and Flickr30k's captions: `IMAGE#N`, a tab, and the caption on each line."""

from pathlib import Path

from metrics_plugins.readers.records import CaptionFile, InputError, make_record
from metrics_plugins.readers.text import read_text

ENDINGS = (".token.txt", ".token")


def is_flickr(path: Path) -> bool:
    """Return whether this is the name of such a file (`Flickr8k.token.txt`, `results_20130124.token`, also `.gz`)."""
    return path.name.removesuffix(".gz").endswith(ENDINGS)


def read_flickr(path: Path) -> CaptionFile:
    """Read such a file; empty lines are skipped.

    Raises:
        InputError: A line has no tab or no `#`, or the file has no captions.
    """
    records = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        name, tab, caption = line.rstrip("\r").partition("\t")
        image, mark, _ = name.rpartition("#")
        if not (tab and mark):
            raise InputError(f"{where}: must be IMAGE#N, a tab and a caption, got {line[:60]!r}")
        records.append(make_record({"image_id": image, "caption": caption}, number=number, where=where))
    if not records:
        raise InputError(f"{path}: must hold captions, got none")
    return CaptionFile(path=path, unit="line", records=tuple(records))
