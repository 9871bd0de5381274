"""Checks of an upload before it is stored permanently: its first rows, its size, and all errors."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from random import Random
from typing import Any, Final, Self

from django.conf import settings

from studies.access.audit import Actor
from studies.datasets.drafts.columns import ColumnUse, choose_columns, read_choices, rename_columns
from studies.datasets.drafts.creation import Draft, DraftContent, write_draft
from studies.datasets.drafts.findings import Fault, Repeats, count_nameless, find_repeats
from studies.datasets.drafts.first_pictures import draw_first_pictures
from studies.datasets.drafts.images import ImageArchive, Watch, check_images, look_away
from studies.datasets.drafts.pairs import PairsMade, count_pairs, count_systems, lists_systems, pair_systems
from studies.datasets.drafts.rows import DraftRow, check_rows
from studies.datasets.drafts.sources import FIELDS_OF_RESULTS, References, name_fields, read_judged, read_references
from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.names import check_valid_name, find_free_name, propose_name
from studies.datasets.staged_uploads import OpenUpload, Staged, delete_staged, open_upload, save_checked
from studies.design.presets import PRESETS, fit_question, start_design
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, Refusal, Unquoted
from studies.shared.files import read_file
from studies.shared.limits import FileLimits
from studies.shared.schemas import adapt

_LARGER: Final = " of an upload; ask the operator for a higher limit"
OF_REFERENCES: Final = FileLimits(n_bytes=128 << 20, n_rows=1_000_000, advice=_LARGER)
N_SHOWN: Final = 5
"""The number of rows, each with its picture, that the page of an upload shows."""
_LONGEST_CELL: Final = 200


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
        uses: The column of the file that each field is read from; none for results of COCO, which have no columns.
        unused: The columns of the file that no field is read from.
        pairs: How pairs were made of a table of systems; None if the table has pairs itself, or other items.
        repeats: The rows that repeat earlier ones.
        n_nameless: Rows with an empty cell in a column of systems, whose captions are of the system `unknown`.
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
    uses: tuple[ColumnUse, ...] = ()
    unused: tuple[str, ...] = ()
    pairs: PairsMade | None = None
    repeats: Repeats = field(default_factory=Repeats)
    n_nameless: int = 0

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
    return TaskKind(name), start_design(TaskKind(name))


def limit_table() -> FileLimits:
    """Return the limits of a table of items, which the operator sets."""
    return FileLimits(n_bytes=128 << 20, n_rows=settings.ACCORDANCE_UPLOAD_ROWS, advice=_LARGER)


def check_upload(staged: Staged, *, watch: Watch = look_away) -> Staged:
    """Check an entire upload and store the findings with it, and the pictures of its first rows as `pictures`."""
    with open_upload(staged) as files:
        upload = _Upload(files, watch=watch)
        return save_checked(staged, {**asdict(upload.preview()), "pictures": upload.draw_pictures()})


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
        ImportFailed: The name was taken while the pictures were stored, or the quota is used up.
    """
    if Preview.from_json(staged.checked).faults:
        raise UploadHasFaults
    with open_upload(staged) as files:
        upload = _Upload(files, watch=watch)
        if upload.faults:
            raise UploadHasFaults
        names = ", ".join(filter(None, [*staged.items, staged.images, staged.references]))
        kind, design = find_start(staged.choices["start"])
        design = fit_question(design, has_anchors=any(row.anchor for row in upload.rows))
        source = f"{names}; {upload.pairs}" if upload.pairs else names
        judged = DraftContent(upload.rows, upload.images, source, upload.references.captions)
        watch("Creating the study.", 0, 0)
        draft = write_draft(
            find_free_name(staged.choices["name"] or propose_name(staged.choices["title"])),
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

    def __init__(self, files: OpenUpload, *, watch: Watch = look_away) -> None:
        self.files, self.staged = files, files.staged
        self.watch = watch
        self.kind, _ = find_start(self.staged.choices["start"])
        self.faults: list[ImportFailed] = []
        self.table = Table("", (), ())
        self.uses: tuple[ColumnUse, ...] = ()
        self.pairs: PairsMade | None = None
        self.repeats = Repeats()
        self.rows: list[DraftRow] = []
        self.images: ImageArchive | None = None
        self.references = References()
        for read in (self._read_name, self._read_title, self._read_references, self._read_images, self._read_items):
            try:
                read()
            except ImportFailed as error:
                self.faults.append(error)

    def preview(self) -> Preview:
        """Check everything, including the content of each picture."""
        faults = [*self.faults, *(self.images.look(self.watch) if self.images else ())]
        # Include rows with errors, or their pictures would be reported as unused.
        named = {image for record in self.table.records if (image := self._find_image(record))}
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
            uses=self.uses,
            unused=_list_unused(self.table, self.uses),
            pairs=self.pairs,
            repeats=self.repeats,
            n_nameless=count_nameless(self.table, self.uses),
        )

    def draw_pictures(self) -> list[str]:
        """Return a small picture for each row of the preview, as `draw_first_pictures` does."""
        return draw_first_pictures(map(self._find_image, self.table.records[:N_SHOWN]), self.images)

    def _find_image(self, record: Record) -> str:
        """Return the key of the image of a row; empty if there is none."""
        column = next((use.column for use in self.uses if use.field == "image"), "image")
        image = record.values.get(column)
        return "" if image is None else str(image)

    def _read_name(self) -> None:
        # The draft gets a number if the name is taken by then; without a name, it gets one made from the title.
        try:
            check_valid_name(self.staged.choices["name"] or propose_name(self.staged.choices["title"]))
        except ImportFailed as error:
            # The rule is that of a command's option too.
            raise ImportFailed("the name", error.rule, got=Unquoted(error.got)) from error

    def _read_title(self) -> None:
        if not self.staged.choices["title"].strip():
            raise ImportFailed("the title", "must not be empty")

    def _read_references(self) -> None:
        if self.staged.references:
            self.watch("Reading the references.", 0, 0)
            file = read_file(self.files.reference_path, limits=OF_REFERENCES)
            self.references = read_references(file, refused=self.faults, limits=OF_REFERENCES)

    def _read_images(self) -> None:
        if self.staged.images:
            self.images = ImageArchive.open(self.files.image_path, names=self.references.files)

    def _read_items(self) -> None:
        self.watch("Reading the items.", 0, 0)
        limits = limit_table()
        files = [read_file(path, limits=limits) for path in self.files.item_paths]
        if not files:
            raise ImportFailed("the items", "must be a file")
        refused: list[ImportFailed] = []
        self.table = read_judged(files, kind=self.kind, refused=refused, limits=limits)
        if len(self.table.records) > limits.n_rows:
            rule = f"may hold at most {limits.n_rows:,} rows{_LARGER}"
            raise ImportFailed(self.table.name, rule, got=Unquoted(f"{len(self.table.records):,}"))
        are_results = self.staged.items[0].lower().endswith((".json", ".json.gz"))
        if not are_results:
            chosen = read_choices(json.loads(self.staged.choices.get("columns") or "[]"))
            self.uses = choose_columns(self.table.columns, kind=self.kind, chosen=chosen)
        names = FIELDS_OF_RESULTS if are_results else {use.field: use.column for use in self.uses}
        refused += self._check_items(self.table if are_results else rename_columns(self.table, self.uses))
        self.faults += [name_fields(error, names=names) for error in refused]

    def _check_items(self, table: Table) -> list[ImportFailed]:
        """Check the rows under the names of a draft, and make pairs of them if they are captions of systems."""
        if not table.records:
            return []
        makes_pairs = self.kind == TaskKind.PAIRWISE and lists_systems(table)
        rows, refused = check_rows(table, kind=TaskKind.RATING if makes_pairs else self.kind)
        self.repeats = find_repeats(rows)
        # If the zip could not be read, every image would be reported as missing.
        if not self.staged.images or self.images:
            refused += check_images(rows, self.images)
        self.rows = self._pair(table.name, rows, refused=refused) if makes_pairs else rows
        return refused

    def _pair(self, name: str, rows: Sequence[DraftRow], *, refused: list[ImportFailed]) -> list[DraftRow]:
        per_image, seed = (int(self.staged.choices.get(choice) or 0) for choice in ("pairs_per_image", "pair_seed"))
        records = [row.record for row in rows]
        columns = tuple(dict.fromkeys(column for record in records for column in record.values))
        table = Table(name, columns, records)
        n_pairs, most = count_pairs(table, per_image=per_image), limit_table().n_rows
        self.pairs = PairsMade(n_pairs, count_systems(records), per_image, seed)
        if n_pairs > most:
            rule = f"may make at most {most:,} pairs: choose a number of pairs per image"
            refused.append(ImportFailed(name, rule, got=Unquoted(f"{n_pairs:,}")))
            return []
        made = pair_systems(table, per_image=per_image, rng=Random(seed))  # noqa: S311 - no secret
        if not made.records and not refused:
            rule = "needs a column other_candidate, or captions of two systems for an image, of which pairs are made"
            refused.append(ImportFailed(name, rule))
        pairs, wrong = check_rows(made, kind=TaskKind.PAIRWISE)
        refused += wrong
        return pairs


def _list_unused(table: Table, uses: Sequence[ColumnUse]) -> tuple[str, ...]:
    used = {use.column for use in uses}
    return tuple(column for column in table.columns if column not in used) if uses else ()


def _show_rows(table: Table) -> Iterator[tuple[str, ...]]:
    for record in table.records[:N_SHOWN]:
        cells = (record.values.get(column) for column in table.columns)
        yield tuple("" if cell is None else str(cell)[:_LONGEST_CELL] for cell in cells)
