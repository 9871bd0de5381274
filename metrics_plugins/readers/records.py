"""The records returned by all readers, and the rules for records in any format."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class InputError(Exception):
    """A file is invalid; the message names the file, the record and field if known, the rule and the value."""


@dataclass(frozen=True, slots=True)
class CaptionRecord:
    """One caption of one image.

    Attributes:
        image_id: The id as a string, even if it is a number in the file.
        caption: The caption exactly as in the file; may be empty.
        number: The number of the record, line or row, from 1.
    """

    image_id: str
    caption: str
    number: int


@dataclass(frozen=True, slots=True)
class CaptionFile:
    """The captions of a file in their order.

    Attributes:
        path: The file.
        unit: The unit of `CaptionRecord.number`: `record`, `line` or `row`.
        records: The captions.
        image_ids: The images in the file's separate list of images; None if it has no such list.
    """

    path: Path
    unit: str
    records: tuple[CaptionRecord, ...]
    image_ids: frozenset[str] | None = None

    def group_by_image(self) -> dict[str, tuple[str, ...]]:
        """Return the captions of each image, both in the order of the file."""
        grouped: dict[str, list[str]] = {}
        for record in self.records:
            grouped.setdefault(record.image_id, []).append(record.caption)
        return {image_id: tuple(captions) for image_id, captions in grouped.items()}

    def refuse(self, record: CaptionRecord, *, field: str, reason: str) -> InputError:
        """Return an error about a field of a record of this file."""
        return InputError(f"{self.path}: {self.unit} {record.number}: field {field!r}: {reason}")


def make_record(fields: object, *, number: int, where: str) -> CaptionRecord:
    """Return a record after checking its fields.

    Args:
        fields: Must be a mapping with `image_id` and `caption`; other fields are ignored.
        number: As in `CaptionRecord`.
        where: The file and record, with which error messages begin.

    Raises:
        InputError: A field is missing or invalid.
    """
    if not isinstance(fields, Mapping):
        raise InputError(f"{where}: must be an object with the fields 'image_id' and 'caption', got {shorten(fields)}")
    for name in ("image_id", "caption"):
        if name not in fields:
            raise InputError(f"{where}: field {name!r} is missing (it has: {', '.join(map(str, fields)) or 'none'})")
    image_id = make_image_id(fields["image_id"], where=f"{where}: field 'image_id'")
    caption = fields["caption"]
    if not isinstance(caption, str):
        raise InputError(f"{where}: field 'caption': must be text, got {shorten(caption)}")
    if not caption.isascii():
        _require_characters(caption, where=where)
    return CaptionRecord(image_id=image_id, caption=caption, number=number)


def make_image_id(value: object, *, where: str) -> str:
    """Return an image id as a string.

    Raises:
        InputError: It is neither a whole number nor a nonempty string.
    """
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{where}: must be a whole number or a text that is not empty, got {shorten(value)}")


def shorten(value: object) -> str:
    """Return the representation of a value for error messages."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _require_characters(caption: str, *, where: str) -> None:
    # JSON can encode a lone surrogate, which neither tokenisers nor output files accept.
    try:
        caption.encode()
    except UnicodeEncodeError as error:
        character = caption[error.start]
        raise InputError(
            f"{where}: field 'caption': must be Unicode text, got half a surrogate pair ({character!r}) "
            f"at character {error.start + 1}"
        ) from error
