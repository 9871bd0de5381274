"""The options of an import."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The source of an import and the options of some formats.

    Attributes:
        source: The folder or file to read; a file may be `ARCHIVE!MEMBER`.
        more_sources: Tables: further files with rows.
        study: The name of the dataset and study; None for the default of the format.
        annotations: `coco`: an annotation file, or `ARCHIVE`, or `ARCHIVE!MEMBER`.
        results: `coco`: the result files, instead of those found in the source.
        column: Tables: `FIELD=COLUMN` for each field whose column has another name.
        references: Tables: files with the references.
        scale: Tables: the allowed values of a rating, `1-5` or `1,2,3,4`.
        protocol: Tables: the default protocol for `correlate`.
        ignore_columns: Tables: whether columns that no field takes are passed over.
        guess_columns: Tables: whether columns are recognised by common names.
        system: `shapeworld`: `NAME=FILE` or `FILE` for the captions of each system.
        profile: `shapeworld`: the rules of truth, `S` or `H`.
    """

    source: Path
    study: str | None = None
    annotations: str | None = None
    results: tuple[Path, ...] = ()
    column: tuple[str, ...] = ()
    references: tuple[Path, ...] = ()
    scale: str | None = None
    protocol: str | None = None
    ignore_columns: bool = False
    guess_columns: bool = False
    system: tuple[str, ...] = ()
    profile: str | None = None
    more_sources: tuple[Path, ...] = ()

    @property
    def sources(self) -> tuple[Path, ...]:
        return (self.source, *self.more_sources)
