"""Export of candidates in the results format of the COCO captioning challenge: a JSON list of captions."""

import json
from collections.abc import Iterator
from typing import Any

from studies.models import Candidate, Study


def write_results(study: Study, *, system: str = "") -> Iterator[str]:
    """Yield the list in parts: for one system in the challenge's format, or for all systems with their names added."""
    rows = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk")
    if system:
        rows = rows.filter(system__name=system)
    fields = rows.values_list("image__key", "text", "system__name")
    separator = "["
    for image, text, name in fields.iterator(chunk_size=2000):
        record: dict[str, Any] = {"image_id": read_image_id(image), "caption": text}
        if not system:
            record["system"] = name
        yield separator + json.dumps(record, ensure_ascii=False)
        separator = ",\n"
    yield "]\n" if separator != "[" else "[]\n"


def read_image_id(key: str) -> int | str:
    """Return the COCO id of an image if the key is a number, otherwise the key.

    >>> read_image_id("391895"), read_image_id("0391895"), read_image_id("dog.jpg")
    (391895, '0391895', 'dog.jpg')
    """
    return int(key) if key.isascii() and key.isdecimal() and str(int(key)) == key else key
