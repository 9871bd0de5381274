"""Where the pictures of a draft come from: a folder, or a zip whose members are looked at one by one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol
from zipfile import ZipFile

from studies.datasets.drafting.rows import DraftRow
from studies.datasets.importing.files.archives import SourceArchive
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.limits import FileLimits, check_size

ENDINGS: Final = ("", ".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
# Pillow's name of a format -> the ending under which raters' browsers get it.
FORMATS: Final[Mapping[str, str]] = {"JPEG": ".jpg", "PNG": ".png", "WEBP": ".webp", "GIF": ".gif", "AVIF": ".avif"}
MOST_PIXELS: Final = 50_000_000
OF_AN_IMAGE: Final = FileLimits(n_bytes=32 << 20, ratio=100, ratio_floor=1 << 20, n_members=20_000)
MOST_PIXELS_IN_ALL: Final = 20_000_000_000
_OF_ALL: Final = FileLimits(n_bytes=2 << 30, ratio=100, ratio_floor=16 << 20)


Watch = Callable[[str, int, int], None]
"""Told what is being done, and how many steps of how many are through."""


def look_away(message: str, n_done: int, n_total: int) -> None:
    """Watch nothing."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """The bytes of an image, and the name to keep them under."""

    name: str
    content: bytes


class ImageSource(Protocol):
    """Something that has files for the keys of images."""

    @property
    def name(self) -> str: ...

    def has(self, key: str) -> bool: ...

    def read(self, key: str) -> PictureFile: ...


@dataclass(frozen=True, slots=True)
class ImageFolder:
    """A folder on this machine, named by who may read it all the same: its files are taken as they are."""

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
        # A key is a name, not a way through the folders.
        found = (self.path / f"{Path(key).name}{ending}" for ending in ENDINGS)
        return next((one for one in found if one.is_file()), None)


@dataclass(slots=True)
class ImageArchive:
    """A zip that somebody sent: every member must be a picture of a known format, by its content.

    Attributes:
        archive: Its table of contents, checked.
        names: What keys are called among its files where that differs, as COCO numbers its images.
        members: File name, and the same without its ending -> member.
        refused: What is wrong with it, as far as was looked at; `look` looks at everything.
        n_pixels: Of all pictures that were read from it.
    """

    archive: SourceArchive
    names: Mapping[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    refused: list[ImportFailed] = field(default_factory=list)
    n_pixels: int = 0
    _opened: ZipFile | None = None

    @classmethod
    def open(cls, path: Path, *, names: Mapping[str, str] | None = None) -> "ImageArchive":
        """Read the table of contents; raise ImportFailed where the zip is damaged or a name leads out of it."""
        made = cls(SourceArchive.open(path, limits=OF_AN_IMAGE), names or {})
        for member in _list_pictures(made.archive):
            file = PurePosixPath(member).name
            if made.members.setdefault(file, member) != member:
                location = SourceLocation(made.name, f"member {member}")
                made.refused.append(
                    ImportFailed(location, f"must have a name of its own, as {made.members[file]} has it too")
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
        """Return the picture; raise ImportFailed if it is none."""
        member = self._find(key)
        if member is None:
            raise ImportFailed("the image", f"must be a file in {self.name}", got=key)
        return self._read_member(member)

    def look(self, watch: Watch = look_away) -> list[ImportFailed]:
        """Open every picture; return all that is wrong, with sizes that lie and links among it."""
        refused, total = list(self.refused), 0
        self.n_pixels = 0
        members = list(dict.fromkeys(self.members.values()))
        for number, member in enumerate(members):
            watch("Looking at the pictures.", number, len(members))
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
            # Once for all pictures: opening reads a table of contents of up to 20,000 members.
            self._opened = ZipFile(self.archive.path)
        content = self.archive.read_from(self._opened, [member])[0].content
        location = SourceLocation(self.name, f"member {member}")
        self.n_pixels += count_pixels(content, location)
        if self.n_pixels > MOST_PIXELS_IN_ALL:
            rule = f"may hold at most {MOST_PIXELS_IN_ALL:,} pixels in all its pictures"
            raise ImportFailed(self.name, rule, got=Unquoted(f"{self.n_pixels:,} or more"))
        ending = check_picture(content, location)
        return PictureFile(f"{PurePosixPath(member).stem}{ending}", content)


def count_pixels(content: bytes, location: SourceLocation) -> int:
    """Return how many pixels a picture has, by its header alone; raise ImportFailed if they are too many."""
    with _open_picture(content, location) as picture:
        return int(picture.size[0] * picture.size[1])


def name_format(picture: Any) -> str:
    """Return Pillow's name of a format; a JPEG with a second picture behind it, as phones write it, is a JPEG."""
    return "JPEG" if picture.format == "MPO" else str(picture.format)


def check_picture(content: bytes, location: SourceLocation) -> str:
    """Return the ending that fits a picture's content; raise ImportFailed if it is no picture that raters can see."""
    with _open_picture(content, location) as picture:
        width, height = picture.size
        # Decoding finds what is cut short; a JPEG is decoded at an eighth of its size.
        picture.draft("RGB", (max(1, width // 8), max(1, height // 8)))
        picture.load()
        return FORMATS[name_format(picture)]


@contextmanager
def _open_picture(content: bytes, location: SourceLocation) -> Iterator[Any]:
    """Open a picture of a bounded size, and say in an importer's words what breaks it while it is used."""
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
        raise ImportFailed(location, f"must be a picture: {known}", got=Unquoted("something else")) from error
    except (Picture.DecompressionBombError, Picture.DecompressionBombWarning) as error:
        raise ImportFailed(location, largest, got=Unquoted("far more")) from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise ImportFailed(location, f"is a damaged picture: {str(error)[:80]}") from error


def check_images(rows: Sequence[DraftRow], source: ImageSource | None) -> list[ImportFailed]:
    """Return what is missing: for each row without a picture, where it names one that is not there."""
    if source is None:
        rule = "must be there where no images are given"
        return [ImportFailed(row.record.location.at("anchor"), rule) for row in rows if not row.anchor]
    is_there = {key: source.has(key) for key in {row.image for row in rows}}
    rule = f"must be a file in {source.name}"
    return [
        ImportFailed(row.record.location.at("image"), rule, got=row.image) for row in rows if not is_there[row.image]
    ]


def _list_pictures(archive: SourceArchive) -> Iterator[str]:
    """Yield the members that somebody put in on purpose, without what file managers leave behind."""
    for name in archive.names:
        parts = PurePosixPath(name).parts
        if not any(part.startswith(".") or part == "__MACOSX" for part in parts) and parts[-1] != "Thumbs.db":
            yield name
