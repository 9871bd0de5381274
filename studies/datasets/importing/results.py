"""What an import wrote, for printing."""

from dataclasses import dataclass

from studies.datasets.importing.records import DatasetRecord


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """What an import wrote for one study, and how many records it was read from."""

    study: str
    protocol: str
    rows_read: int
    images: int
    references: int
    candidates: int
    items: int
    raters: int
    judgments: int

    def __str__(self) -> str:
        counts = ("images", "references", "candidates", "items", "raters", "judgments")
        written = ", ".join(_count(getattr(self, name), name) for name in counts)
        rows = _count(self.rows_read, "rows")
        return f"study {self.study} ({self.protocol.partition('|')[0]}): {rows} read; {written}"


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What one import wrote; prints as a line for each study."""

    dataset: str
    studies: tuple[StudyCounts, ...]
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join([*map(str, self.studies), *(f"left out: {name}" for name in self.left_out)])


def _count(number: int, plural: str) -> str:
    return f"{number:,} {plural.removesuffix('s') if number == 1 else plural}"


def count_written(record: DatasetRecord) -> ImportResult:
    """Return the counts of a record that was written whole."""
    counts = tuple(
        StudyCounts(
            study=study.name,
            protocol=study.protocol,
            rows_read=study.rows_read,
            images=len(record.references),
            references=sum(map(len, record.references.values())),
            candidates=len(record.candidates),
            items=len(study.items),
            raters=len(study.raters),
            judgments=sum(len(item.judgments) for item in study.items),
        )
        for study in record.studies
    )
    return ImportResult(record.name, counts, record.left_out)
