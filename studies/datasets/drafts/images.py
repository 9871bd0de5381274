"""Sources of a draft's pictures: a folder, or a zip whose members are checked one by one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol
from zipfile import ZipFile

from studies.datasets.drafts.rows import DraftRow
from studies.datasets.importing.files.archives import SourceArchive
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.limits import FileLimits, check_size

ENDINGS: Final = ("", ".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
# Pillow's name of a format -> the file extension for the media folder.
FORMATS: Final[Mapping[str, str]] = {"JPEG": ".jpg", "PNG": ".png", "WEBP": ".webp", "GIF": ".gif", "AVIF": ".avif"}
MOST_PIXELS: Final = 50_000_000
OF_AN_IMAGE: Final = FileLimits(n_bytes=32 << 20, ratio=100, ratio_floor=1 << 20, n_members=20_000)
MOST_PIXELS_IN_ALL: Final = 20_000_000_000
_OF_ALL: Final = FileLimits(n_bytes=2 << 30, ratio=100, ratio_floor=16 << 20)


Watch = Callable[[str, int, int], None]
"""Called with the current step, and the numbers of steps done and in total."""


def look_away(message: str, n_done: int, n_total: int) -> None:
    """Ignore the progress."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """The bytes of an image, and the file name to store them under."""

    name: str
    content: bytes


class ImageSource(Protocol):
    """A source of files for image keys."""

    @property
    def name(self) -> str: ...

    def has(self, key: str) -> bool: ...

    def read(self, key: str) -> PictureFile: ...


@dataclass(frozen=True, slots=True)
class ImageFolder:
    """A local folder named by a user with access to it; its files are not checked."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def has(self, key: str) -> bool:
        return self._find(key) is not None

    def read(self, key: str) -> PictureFile:
        file = self._find(key)
        if file is None:
            raise ImportFailed("the image", f"must be a file in {self.path}", got=key)
        return PictureFile(file.name, file.read_bytes())

    def _find(self, key: str) -> Path | None:
        # Use only the last component, so that a key cannot lead to another folder.
        found = (self.path / f"{Path(key).name}{ending}" for ending in ENDINGS)
        return next((one for one in found if one.is_file()), None)


@dataclass(slots=True)
class ImageArchive:
    """An uploaded zip; the content of every member must be a picture of a known format.

    Attributes:
        archive: The archive, with a checked table of contents.
        names: File names of keys where they differ, as in COCO, where images have numbers.
        members: File name, with and without its extension -> member.
        refused: The errors found so far; `look` checks everything.
        n_pixels: The total of all pictures read so far.
    """

    archive: SourceArchive
    names: Mapping[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    refused: list[ImportFailed] = field(default_factory=list)
    n_pixels: int = 0
    _opened: ZipFile | None = None

    @classmethod
    def open(cls, path: Path, *, names: Mapping[str, str] | None = None) -> "ImageArchive":
        """Read the table of contents; raise ImportFailed if the zip is damaged or a member name leads outside of it."""
        made = cls(SourceArchive.open(path, limits=OF_AN_IMAGE), names or {})
        for member in _list_pictures(made.archive):
            file = PurePosixPath(member).name
            if made.members.setdefault(file, member) != member:
                location = SourceLocation(made.name, f"member {member}")
                made.refused.append(
                    ImportFailed(location, f"must have a unique name, but {made.members[file]} has the same name")
                )
        for file, member in list(made.members.items()):
            made.members.setdefault(PurePosixPath(file).stem, member)
        return made

    @property
    def name(self) -> str:
        return self.archive.name

    @property
    def n_files(self) -> int:
        return len(set(self.members.values()))

    def has(self, key: str) -> bool:
        return self._find(key) is not None

    def read(self, key: str) -> PictureFile:
        """Return the picture; raise ImportFailed if it is not a valid picture."""
        member = self._find(key)
        if member is None:
            raise ImportFailed("the image", f"must be a file in {self.name}", got=key)
        return self._read_member(member)

    def look(self, watch: Watch = look_away) -> list[ImportFailed]:
        """Open every picture; return all errors, including false sizes and links."""
        refused, total = list(self.refused), 0
        self.n_pixels = 0
        members = list(dict.fromkeys(self.members.values()))
        for number, member in enumerate(members):
            watch("Checking the images.", number, len(members))
            try:
                total += len(self._read_member(member).content)
                check_size(total, n_packed=self.archive.path.stat().st_size, name=self.name, limits=_OF_ALL)
            except ImportFailed as error:
                refused.append(error)
            if total > _OF_ALL.n_bytes or self.n_pixels > MOST_PIXELS_IN_ALL:
                break
        return refused

    def _find(self, key: str) -> str | None:
        wanted = PurePosixPath(self.names.get(key, key)).name
        return self.members.get(wanted)

    def _read_member(self, member: str) -> PictureFile:
        if self._opened is None:
            # Opened once, since opening reads a table of contents of up to 20,000 members.
            self._opened = ZipFile(self.archive.path)
        content = self.archive.read_from(self._opened, [member])[0].content
        location = SourceLocation(self.name, f"member {member}")
        self.n_pixels += count_pixels(content, location)
        if self.n_pixels > MOST_PIXELS_IN_ALL:
            rule = f"may have at most {MOST_PIXELS_IN_ALL:,} pixels in all images together"
            raise ImportFailed(self.name, rule, got=Unquoted(f"{self.n_pixels:,} or more"))
        ending = check_picture(content, location)
        return PictureFile(f"{PurePosixPath(member).stem}{ending}", content)


def count_pixels(content: bytes, location: SourceLocation) -> int:
    """Return the number of pixels from a picture's header; raise ImportFailed if it is too large."""
    with _open_picture(content, location) as picture:
        return int(picture.size[0] * picture.size[1])


def name_format(picture: Any) -> str:
    """Return Pillow's name of a format; a JPEG followed by a second picture (MPO), as written by phones, is a JPEG."""
    return "JPEG" if picture.format == "MPO" else str(picture.format)


def check_picture(content: bytes, location: SourceLocation) -> str:
    """Return the extension for a picture's content; raise ImportFailed unless browsers can show it."""
    with _open_picture(content, location) as picture:
        width, height = picture.size
        # Decode to detect truncated files; a JPEG is decoded at an eighth of its size.
        picture.draft("RGB", (max(1, width // 8), max(1, height // 8)))
        picture.load()
        return FORMATS[name_format(picture)]


@contextmanager
def _open_picture(content: bytes, location: SourceLocation) -> Iterator[Any]:
    """Open a picture of limited size, and turn errors while it is used into ImportFailed."""
    from PIL import Image as Picture
    from PIL import UnidentifiedImageError

    known, largest = ", ".join(FORMATS), f"may have at most {MOST_PIXELS:,} pixels"
    try:
        with Picture.open(BytesIO(content), formats=list(FORMATS)) as picture:
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise ImportFailed(location, largest, got=Unquoted(f"{width:,} x {height:,}"))
            yield picture
    except UnidentifiedImageError as error:
        raise ImportFailed(location, f"must be an image: {known}", got=Unquoted("something else")) from error
    except (Picture.DecompressionBombError, Picture.DecompressionBombWarning) as error:
        raise ImportFailed(location, largest, got=Unquoted("far more")) from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise ImportFailed(location, f"is a damaged image: {str(error)[:80]}") from error


def check_images(rows: Sequence[DraftRow], source: ImageSource | None) -> list[ImportFailed]:
    """Return an error for each row that names a missing picture."""
    if source is None:
        rule = "must be given if there are no images"
        return [ImportFailed(row.record.location.at("anchor"), rule) for row in rows if not row.anchor]
    is_there = {key: source.has(key) for key in {row.image for row in rows}}
    rule = f"must be a file in {source.name}"
    return [
        ImportFailed(row.record.location.at("image"), rule, got=row.image) for row in rows if not is_there[row.image]
    ]


def _list_pictures(archive: SourceArchive) -> Iterator[str]:
    """Yield the members except those left by file managers."""
    for name in archive.names:
        parts = PurePosixPath(name).parts
        if not any(part.startswith(".") or part == "__MACOSX" for part in parts) and parts[-1] != "Thumbs.db":
            yield name
