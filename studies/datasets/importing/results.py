"""The counts of what an import wrote, for printing."""

from dataclasses import dataclass

from correlation.protocols.reading import read_protocol
from studies.datasets.importing.records import DatasetRecord
from studies.design.protocols import CUSTOM
from studies.shared.own_captions import count_own_captions


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """The counts of one imported study, and the number of records read."""

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
    """The result of one import; printed as one line per study, and one per note on the data."""

    dataset: str
    studies: tuple[StudyCounts, ...]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(
            [
                *map(str, self.studies),
                *(f"left out: {name}" for name in self.left_out),
                *map("note: {}".format, self.notes),
            ]
        )


def _count(number: int, plural: str) -> str:
    return f"{number:,} {plural.removesuffix('s') if number == 1 else plural}"


def count_written(record: DatasetRecord) -> ImportResult:
    """Return the counts of a record that was written."""
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
    return ImportResult(record.name, counts, record.left_out, (*record.notes, *_note_own_captions(record)))


def _note_own_captions(record: DatasetRecord) -> tuple[str, ...]:
    """Return what is to be known of captions that are references; a warning only where a protocol keeps them."""
    protocols = [read_protocol(study.protocol) for study in record.studies if study.protocol != CUSTOM]
    keeps = any(each.references.kind == "all" and not each.drop_candidates_in_references for each in protocols)
    every = [record.references[candidate.image] for candidate in record.candidates]
    own = count_own_captions(
        [(candidate.text,) for candidate in record.candidates],
        all_references=every,
        seen=every if keeps else [()] * len(every),
    )
    return own.list_notes()
