"""The data formats, and the function that imports any of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from types import MappingProxyType
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser

from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.coco import read_coco
from studies.datasets.importing.published.consensus.pascal50s import read_pascal50s
from studies.datasets.importing.published.consensus.triplets import read_triplets
from studies.datasets.importing.published.fense import read_fense
from studies.datasets.importing.published.flickr8k.crowd import read_flickr8k_cf
from studies.datasets.importing.published.flickr8k.expert import read_flickr8k_expert
from studies.datasets.importing.published.shapeworld import read_shapeworld
from studies.datasets.importing.records import DatasetRecord, TrackSteps, pass_on
from studies.datasets.importing.results import ImportResult
from studies.datasets.importing.tables.known_tables import TABLES
from studies.datasets.importing.tables.reading import read_table
from studies.datasets.importing.values import check_name
from studies.datasets.importing.writing import write_dataset
from studies.shared.errors import ImportFailed

_COMMON: Final = frozenset({"source", "study"})
_OF_TABLES: Final = frozenset(
    {"column", "references", "scale", "protocol", "ignore_columns", "guess_columns", "more_sources"}
)


@dataclass(frozen=True, slots=True)
class Format:
    """A data format: its reader, and the options that it accepts besides the common ones."""

    read: Callable[[ImportOptions], DatasetRecord]
    options: frozenset[str] = frozenset()


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "flickr8k-expert": Format(read_flickr8k_expert),
        "flickr8k-cf": Format(read_flickr8k_cf),
        "pascal-50s": Format(read_pascal50s),
        "fense": Format(read_fense),
        "triplets": Format(read_triplets),
        "shapeworld": Format(read_shapeworld, frozenset({"system", "profile"})),
        "coco": Format(read_coco, frozenset({"annotations", "results"})),
        **{name: Format(table.read, _OF_TABLES) for name, table in TABLES.items()},
        "table": Format(read_table, _OF_TABLES),
    }
)


def import_data(
    name: str, *, options: ImportOptions, now: datetime, owner: str | None = None, track: TrackSteps = pass_on
) -> ImportResult:
    """Import data of the named format as a dataset with its closed studies, in one transaction.

    Args:
        name: A key of `FORMATS`.
        options: The source of the data, and options of the format.
        now: The time of the import.
        owner: The user name of the studies' owner.
        track: Shows the progress.

    Raises:
        ImportFailed: The data or the options break a rule; nothing was written.
    """
    record = read_data(name, options=options)
    return write_dataset(record, now=now, owner=None if owner is None else find_owner(owner), track=track)


def read_data(name: str, *, options: ImportOptions) -> DatasetRecord:
    """Return the data of the named format; see `import_data`, which also writes it."""
    chosen = FORMATS[name]
    for field in fields(options):
        if getattr(options, field.name) and field.name not in _COMMON | chosen.options:
            option = "more than one --from" if field.name == "more_sources" else f"--{field.name.replace('_', '-')}"
            raise ImportFailed(option, f"is not an option of the format {name}")
    if options.study is not None:
        check_name(options.study)
    return chosen.read(options)


def find_owner(name: str) -> AbstractBaseUser:
    users = get_user_model()
    user: AbstractBaseUser | None = users._default_manager.filter(**{str(users.USERNAME_FIELD): name}).first()
    if user is None:
        raise ImportFailed("--owner", "must be the name of a user", got=name)
    return user
