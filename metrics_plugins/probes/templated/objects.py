"""The objects of images, read from a file or found in the references of each image."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from metrics_plugins.readers import InputError
from metrics_plugins.readers.records import make_image_id, shorten
from metrics_plugins.readers.text import read_text

FindObjects = Callable[[Sequence[str]], Sequence[Sequence[str]]]
"""Returns the objects mentioned in each caption, in their order."""


def read_objects(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the objects of each image from JSON: `{"42": ["dog", "frisbee"]}`, or a list of `{"image_id", "objects"}`.

    Raises:
        InputError: The file is not such JSON, or an image is duplicate.
    """
    try:
        content = json.loads(read_text(path), object_pairs_hook=partial(_refuse_repeated, path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: must be JSON, got: {error}") from error
    if isinstance(content, dict):
        return {
            make_image_id(image_id, where=f"{path}: image {image_id!r}"): _check_objects(
                objects, where=f"{path}: image {image_id!r}"
            )
            for image_id, objects in content.items()
        }
    if not isinstance(content, list):
        raise InputError(f"{path}: must be an object or a list of objects, got {shorten(content)}")
    found: dict[str, tuple[str, ...]] = {}
    for number, record in enumerate(content, start=1):
        where = f"{path}: record {number}"
        if not isinstance(record, dict) or not {"image_id", "objects"} <= record.keys():
            raise InputError(f"{where}: must have the fields 'image_id' and 'objects', got {shorten(record)}")
        image_id = make_image_id(record["image_id"], where=f"{where}: field 'image_id'")
        if image_id in found:
            raise InputError(f"{where}: field 'image_id': must be unique, got {image_id} twice")
        found[image_id] = _check_objects(record["objects"], where=f"{where}: field 'objects'")
    return found


def find_in_references(
    references: Mapping[str, Sequence[str]], *, find_objects: FindObjects
) -> dict[str, tuple[str, ...]]:
    """Return the distinct objects mentioned in any reference of an image, those in most references first.

    Objects in equally many references are in the order of their first mention.
    """
    mentioned = iter(find_objects([text for texts in references.values() for text in texts]))
    found = {}
    for image_id, texts in references.items():
        n_references = Counter(name for _ in texts for name in dict.fromkeys(next(mentioned)))
        # Sorting is stable, so ties are in the order of first mention.
        found[image_id] = tuple(sorted(n_references, key=lambda name: -n_references[name]))
    return found


def _refuse_repeated(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Python's JSON parser would silently keep only the last one.
    numbers = Counter(name for name, _ in pairs)
    for name, n in numbers.items():
        if n > 1:
            raise InputError(f"{path}: {name!r} must occur once, got it {n} times")
    return dict(pairs)


def _check_objects(objects: Any, *, where: str) -> tuple[str, ...]:
    if not isinstance(objects, list) or not all(isinstance(name, str) for name in objects):
        raise InputError(f"{where}: must be a list of texts, got {shorten(objects)}")
    return tuple(objects)
