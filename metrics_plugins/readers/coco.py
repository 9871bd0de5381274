"""Readers of COCO's results (a list of captions) and annotations (an object with images and annotations)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from metrics_plugins.readers.records import CaptionFile, InputError, make_image_id, make_record, shorten
from metrics_plugins.readers.text import read_text


def read_coco(path: Path) -> CaptionFile:
    """Read a list of `{"image_id", "caption"}`, or `{"images": [{"id"}], "annotations": [that list]}`.

    Raises:
        InputError: The file is not such JSON, an image or annotation id is duplicate, or the image of an annotation is
            not in the list of images.
    """
    content = _parse(path)
    if isinstance(content, list):
        return _make_file(path, content, label="record", image_ids=None)
    if isinstance(content, dict) and isinstance(content.get("annotations"), list):
        _refuse_repeated_ids(path, content["annotations"])
        return _make_file(path, content["annotations"], label="annotation", image_ids=_read_image_ids(path, content))
    fields = f"an object with {', '.join(content) or 'no fields'}" if isinstance(content, dict) else shorten(content)
    raise InputError(f"{path}: must be a list of captions or an object with a list of 'annotations', got {fields}")


def read_image_ids(path: Path) -> tuple[str, ...]:
    """Read the images of COCO's JSON, `{"images": [{"id"}]}`, or of a text file with one id in each line.

    Raises:
        InputError: The file has another format or no images, or an id is duplicate.
    """
    if path.name.endswith((".json", ".json.gz")):
        content = _parse(path)
        if not isinstance(content, dict) or "images" not in content:
            raise InputError(f"{path}: must be an object with a list of 'images', got {shorten(content)}")
        ids = _list_image_ids(path, content["images"])
    else:
        ids = tuple(line.strip() for line in read_text(path).split("\n") if line.strip())
        repeated = next((image_id for image_id, count in Counter(ids).items() if count > 1), None)
        if repeated is not None:
            raise InputError(f"{path}: an id must occur in one line only, got {shorten(repeated)} again")
    if not ids:
        raise InputError(f"{path}: must hold images, got none")
    return ids


def _parse(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{path}: {place}: must be JSON, got: {error.msg}") from error
    except ValueError as error:
        raise InputError(f"{path}: must be JSON, got: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path}: must be a list of captions, got lists that are nested too deeply") from error


def _make_file(path: Path, content: list[Any], *, label: str, image_ids: frozenset[str] | None) -> CaptionFile:
    records = tuple(
        make_record(fields, number=number, where=f"{path}: {label} {number}")
        for number, fields in enumerate(content, start=1)
    )
    file = CaptionFile(path=path, unit=label, records=records, image_ids=image_ids)
    if image_ids is not None:
        for record in records:
            if record.image_id not in image_ids:
                reason = f"must be the id of one of the {len(image_ids)} images, got {record.image_id}"
                raise file.refuse(record, field="image_id", reason=reason)
    return file


def _read_image_ids(path: Path, content: dict[str, Any]) -> frozenset[str] | None:
    return frozenset(_list_image_ids(path, content["images"])) if "images" in content else None


def _list_image_ids(path: Path, images: object) -> tuple[str, ...]:
    if not isinstance(images, list):
        raise InputError(f"{path}: 'images' must be a list, got {shorten(images)}")
    first: dict[str, int] = {}
    for number, image in enumerate(images, start=1):
        where = f"{path}: image {number}"
        if not isinstance(image, dict) or "id" not in image:
            raise InputError(f"{where}: must be an object with the field 'id', got {shorten(image)}")
        image_id = make_image_id(image["id"], where=f"{where}: field 'id'")
        if image_id in first:
            raise InputError(f"{where}: field 'id': must be unique, got {image_id}, which image {first[image_id]} has")
        first[image_id] = number
    return tuple(first)


def _refuse_repeated_ids(path: Path, annotations: list[Any]) -> None:
    first: dict[str, int] = {}
    for number, annotation in enumerate(annotations, start=1):
        if not isinstance(annotation, dict) or "id" not in annotation:
            continue
        where = f"{path}: annotation {number}: field 'id'"
        annotation_id = make_image_id(annotation["id"], where=where)
        if annotation_id in first:
            taken = first[annotation_id]
            raise InputError(f"{where}: must be unique, got {annotation_id}, which annotation {taken} has")
        first[annotation_id] = number
