"""Finds the captions, or caption sets, that a row of a file of scores names."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from metrics_plugins.api import Level
from studies.design.protocols import find_level
from studies.enums import TaskKind
from studies.models import Candidate, CaptionSet, Item, Study
from studies.shared.errors import ImportFailed

Keys = tuple[str, ...]
Owners = Mapping[Keys, list[int]]

SIDES: Final = ("candidate", "other_candidate")
OF_CAPTIONS: Final[Mapping[Keys, Keys]] = MappingProxyType(
    {
        ("key",): ("key",),
        ("item", "side"): (),
        ("item",): (),
        ("image", "system", "candidate"): ("image__key", "system__name", "text"),
        ("image", "system"): ("image__key", "system__name"),
        ("image", "candidate"): ("image__key", "text"),
        ("system",): ("system__name",),
    }
)
"""Columns that name captions, the first that a file has -> fields of a candidate; items are looked up by themselves."""
OF_SETS: Final[tuple[Keys, ...]] = (("key",), ("item",), ("image", "system"), ("system",))
"""Columns that name caption sets."""
NAMES: Final = frozenset(name for keys in OF_CAPTIONS for name in keys)


def find_keys(study: Study, *, columns: Iterable[str], file: str) -> Keys:
    """Return the columns by which a file names captions; raise ImportFailed if it has none."""
    present = set(columns)
    known = OF_SETS if find_level(study) is Level.SET else tuple(OF_CAPTIONS)
    found = next((keys for keys in known if set(keys) <= present), None)
    if found is None:
        choices = "; ".join(" and ".join(keys) for keys in known)
        raise ImportFailed(file, f"must name captions by the columns {choices}", got=", ".join(sorted(present)))
    if found == ("item",) and study.kind == TaskKind.PAIRWISE:
        rule = f"needs the column side ({' or '.join(SIDES)}) beside item, since an item is a pair"
        raise ImportFailed(file, rule)
    return found


def list_owners(study: Study, keys: Keys) -> Owners:
    """Return the primary keys of the candidates, or caption sets, of each combination of values of the columns."""
    if "item" in keys:
        return _list_by_item(study, keys)
    if find_level(study) is Level.SET:
        return _list_sets(study, keys)
    owners: dict[Keys, list[int]] = {}
    rows = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk").values_list("pk", *OF_CAPTIONS[keys])
    for pk, *key in rows.iterator(chunk_size=2000):
        owners.setdefault(tuple(key), []).append(pk)
    return owners


def _list_sets(study: Study, keys: Keys) -> Owners:
    owners: dict[Keys, list[int]] = {}
    rows = CaptionSet.objects.filter(image__dataset=study.dataset_id).order_by("pk")
    for pk, image, system in rows.values_list("pk", "image__key", "system__name").iterator(chunk_size=2000):
        values = {"key": f"{image}:{system}", "image": image, "system": system}
        owners.setdefault(tuple(values[name] for name in keys), []).append(pk)
    return owners


def _list_by_item(study: Study, keys: Keys) -> Owners:
    owners: dict[Keys, list[int]] = {}
    fields = ("key", "caption_set_id", "candidate_id", "other_candidate_id")
    rows = Item.objects.filter(task__study=study).order_by("pk").values_list(*fields)
    for name, caption_set, first, second in rows.iterator(chunk_size=2000):
        if keys == ("item",):
            owners[name,] = [caption_set or first]
            continue
        for side, pk in zip(SIDES, (first, second), strict=True):
            if pk is not None:
                owners[name, side] = [pk]
    return owners
