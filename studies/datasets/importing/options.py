"""What a person may say about an import beside its format."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The source of an import and the choices of some formats.

    Attributes:
        source: The folder or file to read.
        study: The name of the dataset and study; None for the format's own.
        annotations: `coco`: an annotation file, or `ARCHIVE`, or `ARCHIVE!MEMBER`.
        results: `coco`: the result files, instead of those found in the source.
        column: `table`: `FIELD=COLUMN` for each field whose column has another name.
        references: `table`: a file with the references.
        scale: `table`: the values that a rating may have, `1-5` or `1,2,3,4`.
        protocol: `table`: the protocol that `correlate` uses unless told otherwise.
    """

    source: Path
    study: str | None = None
    annotations: str | None = None
    results: tuple[Path, ...] = ()
    column: tuple[str, ...] = ()
    references: Path | None = None
    scale: str | None = None
    protocol: str | None = None
