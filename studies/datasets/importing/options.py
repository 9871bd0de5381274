"""The options of an import."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The source of an import and the options of some formats.

    Attributes:
        source: The folder or file to read.
        study: The name of the dataset and study; None for the default of the format.
        annotations: `coco`: an annotation file, or `ARCHIVE`, or `ARCHIVE!MEMBER`.
        results: `coco`: the result files, instead of those found in the source.
        column: `table`: `FIELD=COLUMN` for each field whose column has another name.
        references: `table`: a file with the references.
        scale: `table`: the allowed values of a rating, `1-5` or `1,2,3,4`.
        protocol: `table`: the default protocol for `correlate`.
        ignore_columns: `table`: whether columns that no field takes are passed over.
        system: `shapeworld`: `NAME=FILE` or `FILE` for the captions of each system.
        profile: `shapeworld`: the rules of truth, `S` or `H`.
    """

    source: Path
    study: str | None = None
    annotations: str | None = None
    results: tuple[Path, ...] = ()
    column: tuple[str, ...] = ()
    references: Path | None = None
    scale: str | None = None
    protocol: str | None = None
    ignore_columns: bool = False
    system: tuple[str, ...] = ()
    profile: str | None = None
