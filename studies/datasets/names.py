"""Names of studies and datasets, which are used in addresses and unique for the whole site.

People type a title, which need not be unique. The name is made from it, and a taken one gets a number: no message tells
that other people's study has a name. Commands state the name, and refuse one that is taken.
"""

from dataclasses import replace
from itertools import count
from typing import Any, Final

from django.utils.text import slugify

from studies.datasets.importing.records import DatasetRecord
from studies.datasets.importing.values import check_name
from studies.models import Dataset, Study
from studies.shared.errors import ImportFailed

_RESERVED: Final = frozenset({"new"})
_LONGEST_BEFORE_NUMBER: Final = 84
_WITHOUT_LETTERS: Final = "study"


def propose_name(title: str) -> str:
    """Return a valid name made from a title, which may be taken; `study` if the title has no letters of addresses."""
    name = slugify(title)[:_LONGEST_BEFORE_NUMBER].strip("-_") or _WITHOUT_LETTERS
    return f"{name}-{_WITHOUT_LETTERS}" if name in _RESERVED else name


def find_free_name(name: str) -> str:
    """Return the name, with a number if a study or dataset has it, so that nobody meets the names of other people.

    Raises:
        ImportFailed: The name is not valid.
    """
    check_valid_name(name)
    numbered = (f"{name[:_LONGEST_BEFORE_NUMBER]}-{number}" for number in count(2))
    return name if not _is_taken(name) else next(each for each in numbered if not _is_taken(each))


def choose_name(name: str, *, title: str, owner: Any) -> str:
    """Return a free name for a new study of this owner: the given one, or if it is empty, one made from the title.

    A given name gets a number if other people's study or dataset has it. If another study of the owner has it, it is
    refused, so that a program that sends a request twice does not create two studies.

    Raises:
        ImportFailed: The name is not valid, or that of another study of the owner, or there is neither name nor title.
    """
    if not name and not title.strip():
        raise ImportFailed("the title", "must not be empty if there is no name")
    if not name:
        return find_free_name(propose_name(title))
    check_valid_name(name)
    if Study.objects.filter(name=name, owner=owner).exists():
        raise ImportFailed("the name", "must not be the name of another of your studies", got=name)
    return find_free_name(name)


def number_names(record: DatasetRecord) -> DatasetRecord:
    """Return data to be imported, with a number at each name of its dataset and studies that is taken."""
    studies = tuple(replace(study, name=find_free_name(study.name)) for study in record.studies)
    return replace(record, name=find_free_name(record.name), studies=studies)


def check_free_name(name: str) -> None:
    """Raise ImportFailed if a name is not valid and free for a new study and its dataset."""
    check_valid_name(name)
    if _is_taken(name):
        raise ImportFailed("the name", "must not be the name of an existing study or dataset", got=name)


def check_valid_name(name: str) -> None:
    """Raise ImportFailed if a name is not valid for a new study, whether or not it is free."""
    check_name(name)
    if name in _RESERVED:
        raise ImportFailed("the name", "must not be the name of a page", got=name)


def _is_taken(name: str) -> bool:
    return Study.objects.filter(name=name).exists() or Dataset.objects.filter(name=name).exists()
