"""Makes pairs of captions from a table with one caption of a system in each row."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, islice
from random import Random
from typing import Final

from studies.datasets.importing.files.table_files import Record, Table
from studies.shared.errors import SourceLocation

_COLUMNS: Final = ("image", "system", "candidate", "other_system", "other_candidate", "anchor", "category")
_SHARED: Final = ("image", "anchor", "category")


@dataclass(frozen=True, slots=True)
class PairsMade:
    """How pairs were made: `per_image` of each image at random (0: all of them), by this seed."""

    n_pairs: int
    n_systems: int
    per_image: int
    seed: int

    def __str__(self) -> str:
        if not self.per_image:
            return "all pairs of systems of each image"
        return f"{self.per_image} random pairs of systems of each image, seed {self.seed}"


def lists_systems(table: Table) -> bool:
    """Whether a table has a caption of a system in each row, of which pairs can be made."""
    return {"candidate", "system"} <= set(table.columns) and "other_candidate" not in table.columns


def pair_systems(table: Table, *, per_image: int, rng: Random) -> Table:
    """Return a table of pairs: for each image, captions of two systems, in the order of the rows.

    Args:
        table: A table for which `lists_systems` is true; its rows have been checked.
        per_image: The number of pairs of an image, drawn without replacement; 0, or more than there are, for all.
        rng: Draws the pairs.
    """
    pairs: list[tuple[Record, Record]] = []
    for records in _group_by_image(table).values():
        n_pairs = sum(_count_partners(records))
        if per_image and per_image < n_pairs:
            pairs += _take_pairs(records, sorted(rng.sample(range(n_pairs), per_image)))
        else:
            pairs += ((one, other) for one, other in combinations(records, 2) if _name(one) != _name(other))
    columns = tuple(column for column in _COLUMNS if column in table.columns or column.startswith("other_"))
    return Table(table.name, columns, [_join(one, other) for one, other in pairs])


def count_pairs(table: Table, *, per_image: int) -> int:
    """Return the number of pairs that `pair_systems` makes, without making them."""
    counts = (sum(_count_partners(records)) for records in _group_by_image(table).values())
    return sum(min(per_image, n_pairs) if per_image else n_pairs for n_pairs in counts)


def _group_by_image(table: Table) -> dict[str, list[Record]]:
    by_image: dict[str, list[Record]] = {}
    for record in table.records:
        by_image.setdefault(str(record.values["image"]), []).append(record)
    return by_image


def _count_partners(records: Sequence[Record]) -> list[int]:
    """Return for each record the number of later ones of other systems."""
    later: Counter[str] = Counter()
    counts = []
    for n_later, record in enumerate(reversed(records)):
        name = _name(record)
        counts.append(n_later - later[name])
        later[name] += 1
    return counts[::-1]


def _take_pairs(records: Sequence[Record], places: Sequence[int]) -> Iterator[tuple[Record, Record]]:
    """Yield the pairs at these places in the sequence of all pairs, which may be too long to be made."""
    starts = [0, *accumulate(_count_partners(records))]
    for place in places:
        first = bisect_right(starts, place) - 1
        one = records[first]
        others = (other for other in islice(records, first + 1, None) if _name(other) != _name(one))
        yield one, next(islice(others, place - starts[first], None))


def count_systems(records: Sequence[Record]) -> int:
    """Return the number of systems in a table."""
    return len({_name(record) for record in records})


def _join(one: Record, other: Record) -> Record:
    location = SourceLocation(one.location.file, f"{one.location.record} and {other.location.record}")
    values = {column: one.values.get(column) for column in _SHARED}
    values |= {column: one.values.get(column) for column in ("system", "candidate")}
    values |= {f"other_{column}": other.values.get(column) for column in ("system", "candidate")}
    return Record(location, values)


def _name(record: Record) -> str:
    return str(record.values.get("system") or "unknown")
