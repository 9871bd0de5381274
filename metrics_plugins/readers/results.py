"""A reader of results for a challenge: COCO's list of captions, complete for a known list of images."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final
from unicodedata import category

from metrics_plugins.readers.records import InputError, shorten
from metrics_plugins.readers.result_archives import read_results_content

MAX_BYTES: Final = 512 * 1024 * 1024
"""The default limit of a file's size, and of the size of what a zip unpacks to."""
MAX_CHARACTERS: Final = 1_000
"""The default limit of a caption's length."""
N_SHOWN: Final = 50
"""The number of problems that an error describes."""

_FIELDS: Final = ("image_id", "caption")
_WHITESPACE: Final = "\t\n\r"
_LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class ResultsProblem:
    """One reason why a file of results is refused.

    Attributes:
        entry: The number of the entry in the list, from 1; None if the problem is of the file as a whole.
        field: The field; None if the problem is of the whole entry or file.
        rule: What must hold.
        came: What was found instead, shortened.
    """

    entry: int | None
    field: str | None
    rule: str
    came: str

    def __str__(self) -> str:
        """Return the problem in one line."""
        entry = "" if self.entry is None else f"entry {self.entry}: "
        field = "" if self.field is None else f"field {self.field!r}: "
        return f"{entry}{field}{self.rule}" + (f", got {self.came}" if self.came else "")


class ResultsError(InputError):
    """A file of results is invalid.

    Attributes:
        problems: The first problems, at most `N_SHOWN`, in the order of the file, then those of images.
        count: The number of all problems.
    """

    def __init__(self, problems: Sequence[ResultsProblem], *, count: int) -> None:
        """Describe the problems; `count` includes those that are not in `problems`."""
        self.problems = tuple(problems)
        self.count = count
        more = f" (and {count - 1:,} more)" if count > 1 else ""
        super().__init__(f"{self.problems[0]}{more}")


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """Results that are valid and complete.

    Attributes:
        captions: The captions of each image in the order of the file, `captions_per_image` each, exactly as written;
            the images are in the order in which they were asked for.
        split: The split that the name of the file states (`captions_<split>_<algorithm>_results.json`), or None.
        algorithm: The algorithm that the name of the file states, or None.
    """

    captions: Mapping[str, tuple[str, ...]]
    split: str | None
    algorithm: str | None

    @property
    def n_captions(self) -> int:
        """The number of captions of all images."""
        return sum(map(len, self.captions.values()))


def read_results(
    source: Path | BinaryIO,
    *,
    image_ids: Collection[str | int],
    captions_per_image: int = 1,
    max_characters: int = MAX_CHARACTERS,
    allow_empty: bool = False,
    max_bytes: int = MAX_BYTES,
) -> ResultsFile:
    """Read `[{"image_id": 1, "caption": "a cat"}, ...]`, or a zip with exactly one such file.

    Every image must have the number of captions, and no other image may have any. Numbers and texts of the same
    spelling are the same image id, as everywhere. Fields besides `image_id` and `caption` are ignored.

    Args:
        source: A file, or a stream that can seek, in bytes.
        image_ids: The images, at least one.
        captions_per_image: How many captions each image must have, at least 1.
        max_characters: The limit of a caption's length in characters.
        allow_empty: Whether a caption may be empty or white space, as some published captioners' are.
        max_bytes: The limit of the file's size, and of the size of what a zip unpacks to.

    Raises:
        ResultsError: The file or an entry is invalid; all entries are checked.
        ValueError: There are no images, or `captions_per_image` is below 1.
    """
    wanted: dict[str, list[str]] = {str(image_id): [] for image_id in image_ids}
    if not wanted or captions_per_image < 1:
        raise ValueError(f"needs images and captions, got {len(wanted)} images, {captions_per_image} captions an image")
    try:
        file = read_results_content(source, max_bytes=max_bytes)
    except InputError as error:
        raise _refuse(str(error), "") from error
    reading = _Reading(
        wanted, captions_per_image=captions_per_image, max_characters=max_characters, allow_empty=allow_empty
    )
    for number, entry in enumerate(_parse(file.content), start=1):
        reading.take(entry, number=number)
    reading.check_complete()
    if reading.n_problems:
        raise ResultsError(reading.problems, count=reading.n_problems)
    captions = {image_id: tuple(texts) for image_id, texts in wanted.items()}
    return ResultsFile(captions=captions, split=file.split, algorithm=file.algorithm)


def _parse(content: bytes) -> list[Any]:
    try:
        entries = json.loads(_decode(content), object_pairs_hook=_make_object, parse_constant=_Constant)
    except json.JSONDecodeError as error:
        raise _refuse("must be JSON", f"{error.msg} at line {error.lineno}, column {error.colno}") from error
    except ValueError as error:
        raise _refuse("must be JSON", str(error)) from error
    except RecursionError as error:
        raise _refuse("must be a list of captions", "lists that are nested too deeply") from error
    if not isinstance(entries, list):
        raise _refuse("must be a list of captions", _describe(entries))
    if not entries:
        raise _refuse("must hold captions", "an empty list")
    return entries


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        came = f"byte 0x{content[error.start]:02x} in line {line} at offset {error.start}"
        raise _refuse("must be UTF-8", came) from error


def _refuse(rule: str, came: str) -> ResultsError:
    return ResultsError([ResultsProblem(None, None, rule, came)], count=1)


@dataclass(frozen=True, slots=True)
class _Constant:
    """NaN or an infinity, which Python reads, but JSON does not have."""

    name: str


@dataclass(frozen=True, slots=True)
class _Repeated:
    """An object with a field that occurs twice."""

    field: str


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Repeated:
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    counts = Counter(field for field, _ in pairs)
    return _Repeated(next(field for field, count in counts.items() if count > 1))


class _Reading:
    """The captions and the problems found so far."""

    def __init__(
        self, captions: dict[str, list[str]], *, captions_per_image: int, max_characters: int, allow_empty: bool
    ) -> None:
        self.captions = captions
        self.captions_per_image = captions_per_image
        self.max_characters = max_characters
        self.allow_empty = allow_empty
        self.first_entries: dict[str, int] = {}
        self.problems: list[ResultsProblem] = []
        self.n_problems = 0

    def take(self, entry: object, *, number: int) -> None:
        """Keep the caption of an entry, or note what is wrong."""
        if isinstance(entry, _Repeated):
            self._note(number, entry.field, "must occur only once", "it twice")
            return
        if not isinstance(entry, dict):
            self._note(number, None, "must be an object with the fields 'image_id' and 'caption'", _describe(entry))
            return
        if len(entry) > len(_FIELDS):
            self._check_others(entry, number=number)
        image_id = self._read_image_id(entry, number=number)
        caption = self._read_caption(entry, number=number)
        if image_id is not None:
            # The image counts as captioned even if the caption is faulty, so that one fault is one problem.
            self.captions[image_id].append(caption)
            self.first_entries.setdefault(image_id, number)

    def check_complete(self) -> None:
        """Note the images that do not have enough captions."""
        for image_id, captions in self.captions.items():
            if len(captions) < self.captions_per_image:
                rule = f"image {_cut(image_id)} must have {_count(self.captions_per_image, 'caption')}"
                self._note(None, "image_id", rule, f"{len(captions) or 'none'}")

    def _note(self, entry: int | None, field: str | None, rule: str, came: str) -> None:
        self.n_problems += 1
        if len(self.problems) < N_SHOWN:
            name = None if field is None else _cut(field)
            self.problems.append(ResultsProblem(entry=entry, field=name, rule=rule, came=came))

    def _check_others(self, entry: dict[str, Any], *, number: int) -> None:
        for field, value in entry.items():
            if field not in _FIELDS and isinstance(value, list | dict | _Repeated | _Constant):
                self._note(number, field, "must be text, a number, true, false or null", _describe(value))

    def _read_image_id(self, entry: dict[str, Any], *, number: int) -> str | None:
        if "image_id" not in entry:
            self._note(number, "image_id", "is missing", "")
            return None
        value = entry["image_id"]
        if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
            self._note(number, "image_id", "must be a whole number or a text that is not empty", _describe(value))
            return None
        image_id = str(value)
        if image_id not in self.captions:
            rule = f"must be the id of one of the {_count(len(self.captions), 'image')}"
            self._note(number, "image_id", rule, _describe(value))
            return None
        if len(self.captions[image_id]) >= self.captions_per_image:
            rule = f"must occur in {_count(self.captions_per_image, 'entry', 'entries')}"
            self._note(number, "image_id", rule, f"{_describe(value)} as in entry {self.first_entries[image_id]}")
            return None
        return image_id

    def _read_caption(self, entry: dict[str, Any], *, number: int) -> str:
        if "caption" not in entry:
            self._note(number, "caption", "is missing", "")
            return ""
        caption = entry["caption"]
        if not isinstance(caption, str):
            self._note(number, "caption", "must be text", _describe(caption))
            return ""
        if not caption.strip() and not self.allow_empty:
            self._note(number, "caption", "must not be empty", _describe(caption))
        elif len(caption) > self.max_characters:
            rule = f"must have at most {_count(self.max_characters, 'character')}"
            self._note(number, "caption", rule, f"{len(caption):,}")
        elif not caption.isprintable():
            self._check_characters(caption, number=number)
        return caption

    def _check_characters(self, caption: str, *, number: int) -> None:
        for position, character in enumerate(caption, start=1):
            # Neither databases nor tokenisers accept a half of a surrogate pair or NUL.
            if category(character) in ("Cs", "Cc") and character not in _WHITESPACE:
                rule = "must not hold control characters or halves of surrogate pairs"
                self._note(number, "caption", rule, f"{character!r} at character {position}")
                return


def _describe(value: object) -> str:
    if isinstance(value, _Constant):
        return value.name
    if isinstance(value, list | dict | _Repeated):
        return "a list" if isinstance(value, list) else "an object"
    return shorten(value)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
