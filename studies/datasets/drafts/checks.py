"""Checks of an upload before it is stored permanently: its first rows, its size, and all errors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from studies.access.audit import Actor
from studies.datasets.drafts.creation import Draft, DraftContent, check_free_name, write_draft
from studies.datasets.drafts.images import ImageArchive, Watch, check_images, look_away
from studies.datasets.drafts.rows import DraftRow, check_rows
from studies.datasets.drafts.sources import References, name_fields, read_judged, read_references
from studies.datasets.importing.files.table_files import Table
from studies.datasets.staged_uploads import Staged, delete_staged, save_checked
from studies.design.presets import PRESETS
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, Refusal, SourceLocation, Unquoted
from studies.shared.files import read_file
from studies.shared.limits import FileLimits
from studies.shared.schemas import adapt

MOST_ROWS: Final = 50_000
_LARGER: Final = " on a page; larger ones are made by manage.py create_study"
OF_A_TABLE: Final = FileLimits(n_bytes=128 << 20, n_rows=MOST_ROWS, advice=_LARGER)
OF_REFERENCES: Final = FileLimits(n_bytes=128 << 20, n_rows=1_000_000, advice=_LARGER)
N_SHOWN: Final = 10
_LONGEST_CELL: Final = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """One error: its place, the rule, and the offending value."""

    file: str
    record: str
    field: str
    rule: str
    got: str

    @classmethod
    def of(cls, error: ImportFailed) -> Self:
        location = error.location if isinstance(error.location, SourceLocation) else SourceLocation(str(error.location))
        return cls(location.file, location.record, location.field, error.rule, error.got)


@dataclass(frozen=True, slots=True)
class Preview:
    """The content of an upload.

    Attributes:
        columns, rows: The table's own columns, and its first rows as text.
        reference_columns, reference_rows: The same of the file of references.
        n_rows, n_tasks, n_images, n_references: The numbers of each; images are those named by rows, references
            those of such images.
        n_unreferenced: Images named by rows that have no reference.
        n_files, n_unused: The pictures in the zip, and those that no row names.
        faults: All errors; a draft can be created if there are none.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    reference_columns: tuple[str, ...] = ()
    reference_rows: tuple[tuple[str, ...], ...] = ()
    n_rows: int = 0
    n_tasks: int = 0
    n_images: int = 0
    n_references: int = 0
    n_unreferenced: int = 0
    n_files: int = 0
    n_unused: int = 0
    faults: tuple[Fault, ...] = field(default=())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return a preview from its stored JSON."""
        return adapt(cls).validate_python(data)


class UploadHasFaults(Refusal):
    """A draft was requested from an upload with errors, which are in `faults`."""

    def __init__(self, faults: Sequence[Fault] = ()) -> None:
        super().__init__(f"{len(faults)} errors in the uploaded files; no study was created" if faults else "")
        self.faults = tuple(faults)


def find_start(choice: str) -> tuple[TaskKind, StudyDesign]:
    """Return the kind and the initial design for `preset:NAME` or `kind:KIND`."""
    what, _, name = choice.partition(":")
    if what == "preset":
        return TaskKind(PRESETS[name].kind), PRESETS[name].design
    return TaskKind(name), StudyDesign()


def check_upload(staged: Staged, *, watch: Watch = look_away) -> Staged:
    """Check an entire upload and store the findings with it."""
    return save_checked(staged, asdict(_Upload(staged, watch=watch).preview()))


def make_draft(
    staged: Staged,
    *,
    owner: Any,
    actor: Actor,
    now: datetime,
    watch: Watch = look_away,
    finish: Callable[[Draft], None] | None = None,
    folder: str = "",
) -> Draft:
    """Create the draft of an upload, and delete the upload.

    Args:
        staged: The upload.
        owner: The owner of the study, who must have quota for another one.
        actor, now: The account and the time, for the audit log.
        watch: Called with the progress.
        finish: Called with the draft in the transaction that creates it.
        folder: The subfolder of the media folder for pictures stored by a job.

    Raises:
        UploadHasFaults: The upload has errors, which are in the preview.
        ImportFailed: The name was taken meanwhile, or the quota is used up.
    """
    if Preview.from_json(staged.checked).faults:
        raise UploadHasFaults
    upload = _Upload(staged, watch=watch)
    if upload.faults:
        raise UploadHasFaults
    names = [*staged.items, staged.images, staged.references]
    kind, design = find_start(staged.choices["start"])
    judged = DraftContent(upload.rows, upload.images, ", ".join(filter(None, names)), upload.references.captions)
    watch("Creating the study.", 0, 0)
    draft = write_draft(
        staged.choices["name"],
        kind=kind,
        design=design,
        judged=judged,
        now=now,
        owner=owner,
        title=staged.choices["title"],
        actor=actor,
        watch=watch,
        finish=finish,
        folder=folder,
    )
    delete_staged(staged)
    return draft


class _Upload:
    """The files of an upload, parsed as far as possible."""

    def __init__(self, staged: Staged, *, watch: Watch = look_away) -> None:
        self.staged = staged
        self.watch = watch
        self.kind, _ = find_start(staged.choices["start"])
        self.faults: list[ImportFailed] = []
        self.table = Table("", (), ())
        self.rows: list[DraftRow] = []
        self.images: ImageArchive | None = None
        self.references = References()
        for read in (self._read_name, self._read_references, self._read_images, self._read_items):
            try:
                read()
            except ImportFailed as error:
                self.faults.append(error)

    def preview(self) -> Preview:
        """Check everything, including the content of each picture."""
        faults = [*self.faults, *(self.images.look(self.watch) if self.images else ())]
        # Include rows with errors, or their pictures would be reported as unused.
        named = {str(image) for record in self.table.records if (image := record.values.get("image")) is not None}
        n_files = self.images.n_files if self.images else 0
        n_found = sum(self.images.has(image) for image in named) if self.images else 0
        captions = [len(self.references.captions.get(image, ())) for image in named]
        return Preview(
            columns=tuple(self.table.columns),
            rows=tuple(_show_rows(self.table)),
            reference_columns=tuple(self.references.table.columns),
            reference_rows=tuple(_show_rows(self.references.table)),
            n_rows=len(self.table.records),
            n_tasks=len({row.task for row in self.rows}),
            n_images=len(named),
            n_references=sum(captions),
            n_unreferenced=captions.count(0),
            n_files=n_files,
            n_unused=n_files - n_found,
            faults=tuple(Fault.of(fault) for fault in faults),
        )

    def _read_name(self) -> None:
        check_free_name(self.staged.choices["name"])

    def _read_references(self) -> None:
        if self.staged.references:
            self.watch("Reading the references.", 0, 0)
            file = read_file(self.staged.reference_path, limits=OF_REFERENCES)
            self.references = read_references(file, refused=self.faults, limits=OF_REFERENCES)

    def _read_images(self) -> None:
        if self.staged.images:
            self.images = ImageArchive.open(self.staged.image_path, names=self.references.files)

    def _read_items(self) -> None:
        self.watch("Reading the items.", 0, 0)
        files = [read_file(path, limits=OF_A_TABLE) for path in self.staged.item_paths]
        if not files:
            raise ImportFailed("the items", "must be a file")
        refused: list[ImportFailed] = []
        self.table = read_judged(files, kind=self.kind, refused=refused, limits=OF_A_TABLE)
        if len(self.table.records) > MOST_ROWS:
            rule = f"may hold at most {MOST_ROWS:,} rows{_LARGER}"
            raise ImportFailed(self.table.name, rule, got=Unquoted(f"{len(self.table.records):,}"))
        if self.table.records:
            self.rows, wrong = check_rows(self.table, kind=self.kind)
            refused += wrong
        # If the zip could not be read, every image would be reported as missing.
        if not self.staged.images or self.images:
            refused += check_images(self.rows, self.images)
        are_results = self.staged.items[0].lower().endswith((".json", ".json.gz"))
        self.faults += [name_fields(error, are_results=are_results) for error in refused]


def _show_rows(table: Table) -> Iterator[tuple[str, ...]]:
    for record in table.records[:N_SHOWN]:
        cells = (record.values.get(column) for column in table.columns)
        yield tuple("" if cell is None else str(cell)[:_LONGEST_CELL] for cell in cells)
