"""Common code of the two Flickr8k human studies: captions by id, and rows of an image with a caption.

Source: M. Hodosh, P. Young, J. Hockenmaier (2013), Framing Image Description as a Ranking Task, JAIR 47, 853-899.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from studies.datasets.importing.files.lines import SourceLine, read_lines
from studies.datasets.importing.records import (
    CandidateRecord,
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    StudyRecord,
    SystemRecord,
)
from studies.datasets.importing.values import read_key, read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile, digest_files

CAPTIONS: Final = "Flickr8k.token.txt"
SOURCE: Final = (
    "Hodosh, Young, Hockenmaier (2013), Framing Image Description as a Ranking Task, JAIR 47, 853-899. "
    "For non-commercial research and education."
)
_CAPTIONS_PER_IMAGE: Final = 5
_SYSTEM: Final = "human"


@dataclass(frozen=True, slots=True)
class Flickr8kCaptions:
    """The captions of a corpus, by `IMAGE#N` and, in order, by image."""

    by_id: dict[str, str]
    by_image: dict[str, dict[int, str]]


@dataclass(frozen=True, slots=True)
class Rows:
    """The judged rows of one study: its candidates and items, in file order."""

    candidates: list[CandidateRecord]
    items: list[ItemRecord]


def read_captions(file: SourceFile) -> Flickr8kCaptions:
    """Read `IMAGE#N<tab>caption` lines. Image names may contain #, so the last # separates N."""
    captions = Flickr8kCaptions({}, {})
    for line in read_lines(file, columns=("caption id", "caption")):
        caption_id, text = line.values
        image, mark, number = caption_id.rpartition("#")
        location = line.location.at("caption id")
        if not mark or number not in ("0", "1", "2", "3", "4"):
            raise ImportFailed(location, "must be an image, # and a number from 0 to 4", got=caption_id)
        read_key(image, location, longest=200)
        if caption_id in captions.by_id:
            raise ImportFailed(location, "must occur only once", got=caption_id)
        captions.by_id[caption_id] = read_text(text, line.location.at("caption"))
        captions.by_image.setdefault(image, {})[int(number)] = text
    return captions


def read_rows(
    lines: Iterable[SourceLine],
    captions: Flickr8kCaptions,
    *,
    read_judgments: Callable[[SourceLine], tuple[JudgmentRecord, ...]],
) -> Rows:
    """Read lines whose first two columns are an image and the id of the caption judged for it."""
    rows = Rows([], [])
    first_lines: dict[str, int] = {}
    for line in lines:
        image, caption_id = line.values[:2]
        _check_known(image, captions.by_image, line.location.at("image"), what="an image")
        _check_known(caption_id, captions.by_id, line.location.at("caption id"), what="the id of a caption")
        key = read_key(f"{image}|{caption_id}", line.location.at("caption id"), longest=250)
        if key in first_lines:
            rule = f"repeats the image and caption of line {first_lines[key]}"
            raise ImportFailed(line.location, rule, got=Unquoted(f"{image} with {caption_id}"))
        first_lines[key] = line.number
        rows.candidates.append(CandidateRecord(key, image, _SYSTEM, captions.by_id[caption_id]))
        item_key = f"{line.file}:{line.number}"
        rows.items.append(ItemRecord(item_key, image, key, judgments=read_judgments(line)))
    return rows


def build_dataset(
    study: StudyRecord,
    candidates: Sequence[CandidateRecord],
    captions: Flickr8kCaptions,
    *,
    title: str,
    files: Sequence[SourceFile],
) -> DatasetRecord:
    """Return the dataset of one study: only the images that occur in it, each with its five references."""
    images = dict.fromkeys(candidate.image for candidate in candidates)
    return DatasetRecord(
        name=study.name,
        title=title,
        source=SOURCE,
        digest=digest_files(files),
        references={image: _list_references(image, captions) for image in images},
        systems=[SystemRecord(_SYSTEM, is_human=True)],
        candidates=candidates,
        studies=[study],
    )


def _check_known(name: str, known: Container[str], location: SourceLocation, *, what: str) -> None:
    if name not in known:
        raise ImportFailed(location, f"must be {what} in {CAPTIONS}", got=name)


def _list_references(image: str, captions: Flickr8kCaptions) -> list[str]:
    own = captions.by_image[image]
    if len(own) != _CAPTIONS_PER_IMAGE:
        rule = f"must have the {_CAPTIONS_PER_IMAGE} captions #0 to #4"
        got = Unquoted("only " + ", ".join(f"#{number}" for number in sorted(own)))
        raise ImportFailed(SourceLocation(CAPTIONS, f"image {image}"), rule, got=got)
    return [own[number] for number in sorted(own)]
