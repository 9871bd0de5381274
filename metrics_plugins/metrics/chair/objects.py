"""Read the objects known to be in each image from a file with COCO instances or lists by image."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.chair.categories import CATEGORY_OF
from metrics_plugins.readers import InputError
from metrics_plugins.readers.text import read_text


@dataclass(frozen=True, slots=True)
class GivenObjects:
    """The objects in each image.

    Attributes:
        digest: A hash of the file's content; "" without a file.
        categories: The category numbers by image; None without a file.
    """

    digest: str
    categories: Mapping[str, frozenset[int]] | None = field(repr=False)

    @property
    def name(self) -> str:
        """The name printed in signatures."""
        return f"references+{self.digest}" if self.digest else "references"

    def find(self, image_key: str) -> frozenset[int] | None:
        """Return the categories of an image, None if no file was given.

        Raises:
            MetricError: A file was given that does not list this image.
        """
        if self.categories is None:
            return None
        if image_key not in self.categories:
            raise MetricError(
                f"the file of `objects` must list every image (one without objects with an empty list), "
                f"but image {image_key!r} is not among its {len(self.categories)}"
            )
        return self.categories[image_key]


def read_objects(path: str) -> GivenObjects:
    """Read `{"IMAGE": ["dog", "bed"]}`, or COCO's `{"images", "annotations", "categories"}`; "" means no file.

    Objects are named by their category or a synonym. The file may be compressed (`.json.gz`).

    Raises:
        MetricError: The file cannot be read or is invalid; the message names the image.
    """
    if not path:
        return GivenObjects(digest="", categories=None)
    try:
        text = read_text(Path(path))
        content = json.loads(text)
    except InputError as error:
        raise MetricError(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise MetricError(f"{path}: must be JSON, got: {error}") from error
    if not isinstance(content, dict):
        raise MetricError(f"{path}: must be an object with a list of objects by image, got {type(content).__name__}")
    is_coco = {"images", "annotations", "categories"} <= content.keys()
    rows = _list_instances(path, content) if is_coco else content.items()
    categories = {str(image): frozenset(_find_categories(path, image, names)) for image, names in rows}
    return GivenObjects(digest=hashlib.sha256(text.encode()).hexdigest()[:12], categories=categories)


def _find_categories(path: str, image: object, names: object) -> Iterator[int]:
    if not isinstance(names, list):
        raise MetricError(f"{path}: image {image!r}: must have a list of objects, got {type(names).__name__}")
    for name in names:
        if not isinstance(name, str) or name not in CATEGORY_OF:
            raise MetricError(f"{path}: image {image!r}: must name one of COCO's 80 categories, got {name!r}")
        yield CATEGORY_OF[name]


def _list_instances(path: str, content: Mapping[str, Any]) -> Iterator[tuple[object, list[object]]]:
    try:
        names = {category["id"]: category["name"] for category in content["categories"]}
        found: dict[object, list[object]] = {image["id"]: [] for image in content["images"]}
        for annotation in content["annotations"]:
            found[annotation["image_id"]].append(names[annotation["category_id"]])
    except (KeyError, TypeError) as error:
        raise MetricError(
            f"{path}: annotations must have the `image_id` of one of the images "
            f"and the `category_id` of one of the categories, got: {error!r}"
        ) from error
    yield from found.items()
