"""AudioCaps-Eval and Clotho-Eval: pairs of captions of a sound, of which people chose the better one.

Source: Z. Zhou et al. (2022), Can Audio Captions Be Evaluated with Image Caption Metrics?, ICASSP, arXiv 2110.04684;
which references a caption is compared with: github.com/blmoistawinde/fense, experiment/dataloader.py and main.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_list, check_object, read_json
from studies.datasets.importing.files.opening import open_folder
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.records import (
    SHIPPED,
    CandidateRecord,
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    ReferenceSetRecord,
    StudyRecord,
    SystemRecord,
    name_votes,
)
from studies.datasets.importing.reference_lists import Positions, list_others
from studies.datasets.importing.values import read_key, read_number, read_text
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile, digest_files

FILES: Final[Mapping[str, str]] = {"audiocaps": "audiocaps_eval.json", "clotho": "clotho_eval.json"}
FACETS: Final = ("HC", "HI", "HM", "MM_1", "MM_2", "MM_3", "MM_4", "MM_5")
LEAST_REFERENCES: Final = 4
_SOURCE: Final = (
    "Zhou, Zhang, Xu, Xie, Wu, Zhu (2022), Can Audio Captions Be Evaluated with Image Caption Metrics?, ICASSP."
)
_UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class AudioPair:
    """One pair of captions of a sound: the two texts, who wrote them, its category and votes (+1 = first)."""

    key: str
    sound: str
    category: str
    texts: tuple[str, str]
    writers: tuple[str, str]
    votes: tuple[float, ...]


def read_fense(options: ImportOptions) -> DatasetRecord:
    """Read `audiocaps_eval.json` and `clotho_eval.json`, or the one of them that is there, as a study each.

    A file is a list of sounds: `references`, a list of captions, and for each of `FACETS`, which may be missing, a pair
    `[caption, caption, source, source, votes]`. Each caption's references are stored as the reference set `shipped`, in
    parts that the authors scored one after the other.
    """
    folder = open_folder(options.source)
    present = {name: file for name, file in FILES.items() if folder.has(file)}
    if not present:
        raise ImportFailed(str(options.source), f"must hold {' or '.join(FILES.values())}")
    name = options.study or "fense"
    files = {part: folder.read_one(file) for part, file in present.items()}
    references: dict[str, list[str]] = {}
    pairs = {part: list(_read_pairs(file, part, references)) for part, file in files.items()}
    return DatasetRecord(
        name=name,
        title="AudioCaps-Eval and Clotho-Eval",
        source=_SOURCE,
        digest=digest_files(list(files.values())),
        references=references,
        systems=_list_systems([pair for own in pairs.values() for pair in own]),
        candidates=[
            CandidateRecord(key, pair.sound, writer, text)
            for own in pairs.values()
            for pair in own
            for key, writer, text in zip(_name_candidates(pair), pair.writers, pair.texts, strict=True)
        ],
        studies=[_build_study(f"{name}-{part}", part, own) for part, own in pairs.items()],
        reference_sets=[each for part, own in pairs.items() for each in _build_sets(part, own, references)],
    )


def choose_references(
    category: str, texts: tuple[str, str], references: Sequence[str]
) -> tuple[tuple[Positions, ...], tuple[Positions, ...]]:
    """Return the positions of the references that each caption of a pair is compared with, by alternatives.

    HC: the caption itself is left out. HI and HM: the first caption, which is a reference, is left out for both. Fewer
    than four references are padded to four, beginning again with the first. MM: each reference is left out in turn, and
    the score of a caption is the mean over these alternatives.

    Args:
        category: `HC`, `HI`, `HM` or `MM`.
        texts: The two captions.
        references: The captions of the sound.
    """
    every = tuple(range(len(references)))
    if category == "MM":
        each_out = tuple(every[:out] + every[out + 1 :] for out in every) if len(every) > 1 else (every,)
        return each_out, each_out
    gone = texts if category == "HC" else (texts[0], texts[0])
    first, second = (_pad(list_others(text, references)) for text in gone)
    return (first,), (second,)


def _pad(positions: Positions) -> Positions:
    if not positions:
        return ()
    missing = max(0, LEAST_REFERENCES - len(positions))
    return positions + tuple(positions[number % len(positions)] for number in range(missing))


def _read_pairs(file: SourceFile, part: str, references: dict[str, list[str]]) -> Iterator[AudioPair]:
    """Yield the pairs of a file, and add the references of its sounds."""
    for number, record in enumerate(check_list(read_json(file), SourceLocation(file.name)), start=1):
        location = SourceLocation(file.name, f"record {number}")
        check_object(record, location, fields=("references",))
        sound = f"{part}-{number:04d}"
        captions = check_list(record["references"], location.at("references"))
        references[sound] = [read_text(text, location.at("references")) for text in captions]
        if not references[sound]:
            raise ImportFailed(location.at("references"), "must hold at least one caption")
        for facet in FACETS:
            if facet in record:
                yield _read_pair(record[facet], location.at(facet), sound=sound, facet=facet)
    if not references:
        raise ImportFailed(file.name, "holds no sounds")


def _read_pair(value: Any, location: SourceLocation, *, sound: str, facet: str) -> AudioPair:
    pair = check_list(value, location)
    if len(pair) < 3:
        rule = "must be a list of two captions, their two sources, and last the votes"
        raise ImportFailed(location, rule, got=Unquoted(f"{len(pair)} elements"))
    votes = [read_number(vote, location) for vote in check_list(pair[-1], location)]
    if not votes or any(vote not in (-1, 0, 1) for vote in votes):
        got = Unquoted(", ".join(f"{vote:g}" for vote in votes[:20]) or "none")
        raise ImportFailed(location, "must end with votes of 1 (first caption), -1 (second) or 0", got=got)
    writers = [_read_writer(writer, location) for writer in (*pair[2:-1], None, None)[:2]]
    return AudioPair(
        key=f"{sound}-{facet}",
        sound=sound,
        category=facet.partition("_")[0],
        texts=(read_text(pair[0], location), read_text(pair[1], location)),
        writers=(writers[0], writers[1]),
        votes=tuple(votes),
    )


def _read_writer(value: object, location: SourceLocation) -> str:
    return _UNKNOWN if value is None or value == "" else read_key(value, location, longest=100)


def _name_candidates(pair: AudioPair) -> tuple[str, str]:
    return f"{pair.key}-a", f"{pair.key}-b"


def _list_systems(pairs: Sequence[AudioPair]) -> list[SystemRecord]:
    # In HC and HI both captions are people's, in HM the first one is.
    human: dict[str, bool] = {}
    for pair in pairs:
        for place, writer in enumerate(pair.writers):
            is_human = pair.category in ("HC", "HI") or (pair.category == "HM" and place == 0)
            human[writer] = human.get(writer, True) and is_human
    return [SystemRecord(writer, is_human=is_human) for writer, is_human in human.items()]


def _build_study(name: str, part: str, pairs: Sequence[AudioPair]) -> StudyRecord:
    most = max((len(pair.votes) for pair in pairs), default=0)
    if not most:
        raise ImportFailed(FILES[part], f"must hold a pair ({', '.join(FACETS)})", got=Unquoted("none"))
    return StudyRecord(
        name=name,
        title="AudioCaps-Eval" if part == "audiocaps" else "Clotho-Eval",
        kind=TaskKind.PAIRWISE,
        protocol="fense@1",
        design=StudyDesign(
            question="Which caption describes the sound better?",
            allows_no_preference=any(0 in pair.votes for pair in pairs),
            raters_per_task=most,
        ),
        raters=name_votes(most),
        are_placeholders=True,
        items=[
            ItemRecord(
                pair.key,
                pair.sound,
                *_name_candidates(pair),
                pair.category,
                tuple(map(JudgmentRecord, name_votes(len(pair.votes)), pair.votes)),
            )
            for pair in pairs
        ],
        rows_read=len(pairs),
    )


def _build_sets(
    part: str, pairs: Sequence[AudioPair], references: Mapping[str, Sequence[str]]
) -> Iterator[ReferenceSetRecord]:
    """Yield the lists that the authors scored one after the other: first and second captions, of people and machines.

    CIDEr counts documents within such a list.
    """
    lists: dict[str, dict[str, tuple[Positions, ...]]] = {}
    for pair in pairs:
        kind = "machines" if pair.category == "MM" else "people"
        chosen = choose_references(pair.category, pair.texts, references[pair.sound])
        for side, key, alternatives in zip(("first", "second"), _name_candidates(pair), chosen, strict=True):
            lists.setdefault(f"{part}-{kind}-{side}", {})[key] = alternatives
    for name, choices in lists.items():
        yield ReferenceSetRecord(SHIPPED, choices, part=name)
