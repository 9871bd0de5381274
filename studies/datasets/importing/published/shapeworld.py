"""ShapeWorld: generated worlds, whose captions are judged by the truth that follows from the world.

Source: A. Kuhnle, A. Copestake (2017), ShapeWorld: A new test methodology for multimodal language understanding, arXiv
1704.04517; the evaluation of captions by truth: H. Xie et al. (2019), arXiv 1912.08960.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from correlation.protocols.named import get_protocol
from studies.datasets.drafts.images import check_picture
from studies.datasets.importing.files.json_files import check_list, read_json
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.records import (
    CandidateRecord,
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    StudyRecord,
    SystemRecord,
    WorldRecord,
)
from studies.datasets.importing.values import read_key, read_text
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted, quote
from studies.shared.files import SourceFile, SourceFolder, digest_files

if TYPE_CHECKING:
    from captioning.worlds.model import World

Captions = Sequence[Sequence[str]]
Values = Sequence[Sequence[int | None]]

WORLDS: Final = "world_model.json"
CAPTIONS: Final = "caption.txt"
LABELS: Final = "agreement.txt"
JUDGE: Final = "world"
"""The pseudonym of the judge who is no person: its judgments are the truth of captions."""

MOST_REFERENCES: Final = 10
_TITLE: Final = "ShapeWorld"
_SOURCE: Final = "Kuhnle, Copestake (2017), ShapeWorld, arXiv 1704.04517. Truth computed from the worlds, profile {}."
_TRUTH: Final[Mapping[int | None, str]] = {1: "true", 0: "ambiguous", -1: "false", None: "ungrammatical"}
_OWN_FILES: Final = frozenset({CAPTIONS, LABELS, "alternatives.txt", "caption_rpn.txt"})
_LONGEST_PART: Final = 50
_DEEPEST: Final = 4

DESIGN: Final = StudyDesign(
    instructions=(
        "Each image shows colored shapes. Decide whether the caption is true of the image.\n\n"
        "Read the caption literally: “a square is red” is true if at least one square is red. A caption that is not a "
        "correct sentence is not true."
    ),
    question="Is the caption true of the image?",
    scale=(ScalePoint(0, "no"), ScalePoint(1, "yes")),
    raters_per_task=3,
)
"""The design for people who judge the same captions in a clone of the study."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A folder with the files of one set of worlds; `name` is empty if it is the only one."""

    name: str
    folder: SourceFolder
    files: tuple[SourceFile, ...]
    records: Sequence[Mapping[str, Any]]
    worlds: Sequence["World"]
    captions: Captions
    values: Values

    def name_image(self, number: int) -> str:
        return f"{self.name}-world-{number}" if self.name else f"world-{number}"

    def locate(self, name: str) -> str:
        """Return the name of a file for messages."""
        return f"{self.name}/{name}" if self.name else name


@dataclass(slots=True)
class _Judged:
    """The captions of all systems, with an item each, and the files that they come from."""

    systems: dict[str, SystemRecord] = field(default_factory=dict)
    candidates: list[CandidateRecord] = field(default_factory=list)
    items: list[ItemRecord] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)

    def add(self, part: _Part, *, system: str, captions: Captions, values: Values, profile: str) -> None:
        self.systems.setdefault(system, SystemRecord(system))
        for number, (texts, truths) in enumerate(zip(captions, values, strict=True)):
            image = part.name_image(number)
            for place, (text, truth) in enumerate(zip(texts, truths, strict=True), start=1):
                key = f"{image}-{system}-{place}"
                answer = {"computed": True, "truth": truth, "profile": profile}
                judgment = JudgmentRecord(JUDGE, float(truth == 1), answer)
                self.candidates.append(CandidateRecord(key, image, system, text))
                self.items.append(ItemRecord(key, image, key, category=part.name, judgments=(judgment,)))

    def sort(self, images: Iterable[str]) -> None:
        """Put the captions of each image together, by all systems."""
        order = {image: position for position, image in enumerate(images)}
        self.candidates.sort(key=lambda candidate: order[candidate.image])
        self.items.sort(key=lambda item: order[item.image])


def read_shapeworld(options: ImportOptions) -> DatasetRecord:
    """Read worlds and captions in the layout of the original's generator.

    A folder has `world_model.json`, `caption.txt` and, optionally, `world-N.png` (or `.bmp`) and `agreement.txt`; other
    images are rendered. A folder of such folders has several parts. The true captions of `caption.txt`, at most ten for
    each world, are references. Each file of `--system` has the captions of a system in the layout of `caption.txt`;
    without such files, the captions of `caption.txt` themselves are judged.
    """
    from captioning.worlds.truth.profiles import PROFILES

    profile = options.profile or "S"
    if profile not in PROFILES:
        raise ImportFailed("--profile", f"must be one of {', '.join(PROFILES)}", got=profile)
    root = SourceFolder.open(options.source)
    parts = [_read_part(root, path, profile=profile) for path in _find_parts(root)]
    judged = _read_systems(options.system, parts, profile=profile) if options.system else _judge_own(parts, profile)
    judged.sort(part.name_image(number) for part in parts for number in range(len(part.worlds)))
    if not judged.items:
        raise ImportFailed(CAPTIONS, "must have a caption", got=Unquoted("none"))
    name = options.study or "shapeworld"
    protocol = get_protocol("gtd-truth")
    if not options.system:
        protocol = protocol.with_options(references="exclude-candidate-per-row")
    study = StudyRecord(
        name=name,
        title=f"{_TITLE}: truth of captions",
        kind=TaskKind.RATING,
        protocol=protocol.reference if options.system else protocol.signature,
        design=DESIGN,
        raters=(JUDGE,),
        are_placeholders=True,
        items=judged.items,
        rows_read=len(judged.items),
        is_computed=True,
    )
    return DatasetRecord(
        name=name,
        title=_TITLE,
        source=_SOURCE.format(profile),
        digest=digest_files([file for part in parts for file in part.files] + judged.files),
        references={
            part.name_image(number): _choose_references(texts, truths)
            for part in parts
            for number, (texts, truths) in enumerate(zip(part.captions, part.values, strict=True))
        },
        systems=list(judged.systems.values()),
        candidates=judged.candidates,
        studies=(study,),
        notes=(_count_truth(judged.items), *(note for part in parts for note in _compare_labels(part))),
        worlds={
            part.name_image(number): WorldRecord(record, _read_picture(part, number))
            for part in parts
            for number, record in enumerate(part.records)
        },
        world_profile=profile,
    )


def _find_parts(root: SourceFolder) -> list[Path]:
    found = sorted(path.parent for path in root.path.rglob(WORLDS))
    if not found:
        raise ImportFailed(str(root.path), f"must contain {WORLDS}, or folders that contain it")
    names: dict[str, Path] = {}
    for inside in (path.relative_to(root.path) for path in found):
        if len(inside.parts) > _DEEPEST:
            raise ImportFailed(
                str(inside), f"must be at most {_DEEPEST} folders deep", got=Unquoted(f"{len(inside.parts)}")
            )
        other = names.setdefault(_name_part(inside), inside)
        if other != inside:
            raise ImportFailed(
                str(inside), f"must differ from the folder {other} in the name of the part", got=_name_part(inside)
            )
    return found


def _name_part(inside: Path) -> str:
    return "-".join(inside.parts)


def _read_part(root: SourceFolder, path: Path, *, profile: str) -> _Part:
    from captioning.worlds.captions.checking import check_captions
    from captioning.worlds.truth.profiles import PROFILES

    inside = path.relative_to(root.path)
    name = _name_part(inside)
    if len(name) > _LONGEST_PART:
        raise ImportFailed(str(inside), f"may have at most {_LONGEST_PART} characters", got=Unquoted(f"{len(name)}"))
    folder = SourceFolder.open(path)
    worlds_file, captions_file = folder.read_one(WORLDS), folder.read_one(CAPTIONS)
    place = f"{name}/{WORLDS}" if name else WORLDS
    records = check_list(read_json(worlds_file), SourceLocation(place))
    if not records:
        raise ImportFailed(place, "must have a world", got=Unquoted("none"))
    worlds = [_parse_world(record, number, place) for number, record in enumerate(records)]
    captions = _read_captions(folder.path / CAPTIONS, f"{name}/{CAPTIONS}" if name else CAPTIONS, n_worlds=len(worlds))
    values = check_captions(captions, worlds, profile=PROFILES[profile]).values
    return _Part(name, folder, (worlds_file, captions_file), records, worlds, captions, values)


def _parse_world(record: Any, number: int, place: str) -> "World":
    from captioning.worlds.errors import BadWorldFile
    from captioning.worlds.files.world_files import parse_world

    try:
        return parse_world(record, source=f"world {number}")
    except BadWorldFile as error:
        raise ImportFailed(place, str(error)) from error


def _read_captions(path: Path, place: str, *, n_worlds: int) -> Captions:
    from captioning.worlds.errors import BadCaptionFile
    from captioning.worlds.files.caption_files import read_captions

    try:
        captions = read_captions(path, n_worlds=n_worlds)
    except BadCaptionFile as error:
        raise ImportFailed(place, str(error).removeprefix(f"{path}: ")) from error
    for number, texts in enumerate(captions):
        for text in texts:
            read_text(text, SourceLocation(place, f"world {number}"))
    return captions


def _choose_references(texts: Sequence[str], truths: Sequence[int | None]) -> tuple[str, ...]:
    true = dict.fromkeys(text for text, truth in zip(texts, truths, strict=True) if truth == 1)
    return tuple(true)[:MOST_REFERENCES]


def _judge_own(parts: Sequence[_Part], profile: str) -> _Judged:
    judged = _Judged()
    for part in parts:
        judged.add(part, system=Path(CAPTIONS).stem, captions=part.captions, values=part.values, profile=profile)
    return judged


def _read_systems(given: Sequence[str], parts: Sequence[_Part], *, profile: str) -> _Judged:
    from captioning.worlds.captions.checking import check_captions
    from captioning.worlds.truth.profiles import PROFILES

    judged = _Judged()
    seen: dict[str, set[str]] = {}
    for argument in given:
        name, _, pattern = argument.rpartition("=")
        found = [(part, path) for part in parts for path in _match_files(part, pattern, is_only=len(parts) == 1)]
        if not found:
            where = "the folder of a part" if len(parts) > 1 else "the folder"
            raise ImportFailed("--system", f"must name a file of captions in {where}", got=pattern)
        for part, path in found:
            system = read_key(name or path.stem, SourceLocation("--system"), longest=100)
            own = seen.setdefault(system, set())
            if part.name in own:
                raise ImportFailed("--system", "must give each system one file", got=system)
            own.add(part.name)
            place = part.locate(path.name)
            captions = _read_captions(path, place, n_worlds=len(part.worlds))
            values = check_captions(captions, part.worlds, profile=PROFILES[profile]).values
            judged.add(part, system=system, captions=captions, values=values, profile=profile)
            judged.files.append(SourceFile(place, path.read_bytes()))
    _check_parts(seen, parts)
    return judged


def _check_parts(seen: Mapping[str, set[str]], parts: Sequence[_Part]) -> None:
    """Refuse a system without captions in some part: its mean would be over other worlds than those of the others."""
    for system, own in seen.items():
        lacking = [part.name for part in parts if part.name not in own]
        if lacking:
            raise ImportFailed(
                "--system",
                f"must name a file of {quote(system)} in the folder of each part",
                got=Unquoted(f"none in {lacking[0] or 'the given folder'}"),
            )


def _match_files(part: _Part, pattern: str, *, is_only: bool) -> list[Path]:
    """Return the files in the part's folder that match, else, for a single part, the file of this path.

    The files of the layout itself, such as `caption.txt`, match only if named without a pattern.
    """
    root = part.folder.path
    names = (str(path.relative_to(root)) for path in sorted(root.rglob("*.txt")))
    inside = [root / name for name in names if fnmatch(name, pattern) and (name not in _OWN_FILES or name == pattern)]
    if inside or not is_only:
        return inside
    return [Path(pattern)] if pattern and Path(pattern).is_file() else []


def _read_picture(part: _Part, number: int) -> bytes:
    """Return the image of a world as PNG: its file, or a rendering."""
    from PIL import Image, UnidentifiedImageError

    from captioning.worlds.rendering import render_world

    name = f"world-{number}.png"
    if part.folder.has(name):
        content = part.folder.read_one(name).content
        check_picture(content, SourceLocation(part.locate(name)))
        return content
    made = BytesIO()
    name = f"world-{number}.bmp"
    if part.folder.has(name):
        try:
            with Image.open(BytesIO(part.folder.read_one(name).content), formats=["BMP"]) as picture:
                picture.convert("RGB").save(made, "PNG")
        except (UnidentifiedImageError, OSError, ValueError) as error:
            raise ImportFailed(part.locate(name), "must be an image in BMP format") from error
    else:
        Image.fromarray(render_world(part.worlds[number])).save(made, "PNG")
    return made.getvalue()


def _count_truth(items: Sequence[ItemRecord]) -> str:
    counts = dict.fromkeys(_TRUTH.values(), 0)
    for item in items:
        counts[_TRUTH[item.judgments[0].answer["truth"]]] += 1
    return f"judged by the computed judge {JUDGE!r}: " + ", ".join(f"{n:,} {name}" for name, n in counts.items())


def _compare_labels(part: _Part) -> tuple[str, ...]:
    """Return a note on how many labels of `agreement.txt`, if there is one, equal the computed truth."""
    from captioning.worlds.errors import BadCaptionFile
    from captioning.worlds.files.caption_files import read_agreement

    if not part.folder.has(LABELS):
        return ()
    place = part.locate(LABELS)
    try:
        labels = read_agreement(part.folder.path / LABELS)
    except BadCaptionFile as error:
        raise ImportFailed(place, str(error)) from error
    if [len(row) for row in labels] != [len(row) for row in part.values]:
        raise ImportFailed(place, f"must have a label for each caption of {CAPTIONS}")
    pairs = [
        (label, value)
        for own, row in zip(labels, part.values, strict=True)
        for label, value in zip(own, row, strict=True)
    ]
    equal = sum(label == float(value == 1) for label, value in pairs)
    return (f"{place}: {equal:,} of {len(pairs):,} labels equal the computed truth",)
