"""The names of the objects in images, as JSON: `{"KEY": ["person", "tennis ball"]}`."""

import json
from pathlib import Path
from typing import Any

from captioning.readers.errors import BadImageFile
from metrics_plugins.readers import InputError
from metrics_plugins.readers.records import shorten
from metrics_plugins.readers.text import read_text


def read_objects(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the objects of each image in the order of the file, which should put the most certain ones first.

    Raises:
        BadImageFile: The file is not such JSON; the message names the image.
    """
    try:
        content: Any = json.loads(read_text(path))
    except (InputError, ValueError, RecursionError) as error:
        raise BadImageFile(f"{path}: must be JSON, got: {error}") from error
    if not isinstance(content, dict):
        raise BadImageFile(f"{path}: must be an object with a list of names for each image key, got {shorten(content)}")
    for key, names in content.items():
        if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
            raise BadImageFile(
                f"{path}: image {key!r}: must be a list of names that are not empty, got {shorten(names)}"
            )
    return {key: tuple(names) for key, names in content.items()}
