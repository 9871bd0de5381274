"""ABSTRACT-50S, PASCAL-50S and other consensus studies: pairs of captions with a vote for each reference.

Source: R. Vedantam, C. L. Zitnick, D. Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, CVPR.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

from studies.datasets.importing.files.opening import open_files
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.consensus.pascal50s_consensus import VOTES_PER_PAIR
from studies.datasets.importing.published.consensus.triplet_rows import TripletRow, read_triplet_rows
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
from studies.datasets.importing.reference_lists import place_texts
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.shared.files import digest_files
from studies.shared.text import normalize_caption

_SOURCE: Final = "Vedantam, Zitnick, Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, CVPR."
_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {"consensus_abstract": "ABSTRACT-50S", "consensus_pascal": "PASCAL-50S"}
)
_SYSTEM: Final = "unknown"
# The 400 pairs of consensus_abstract.mat: first 200 of two captions of the scene, then 200 with one of another scene.
_ABSTRACT_CATEGORIES: Final = ("HC",) * 200 + ("HI",) * 200


@dataclass(frozen=True, slots=True)
class _Pair:
    """The votes on one pair of captions, all with the captions in the order of the first one."""

    key: str
    image: str
    category: str
    captions: tuple[str, str]
    rows: tuple[tuple[str, int], ...]


def read_triplets(options: ImportOptions) -> DatasetRecord:
    """Read the votes of a consensus study; the votes on a pair of captions are an item.

    In the published files, 48 consecutive rows show one pair, each with another reference. Pairs are stored with all
    their references, of which a protocol may draw any number.
    """
    # The file itself, or the one in a folder that is named like the published ones.
    (file,) = open_files([options.source], patterns=("consensus_*.mat",), are_several=False)
    pairs = _name_pairs(_group_rows(read_triplet_rows(file)), stem=Path(file.name).stem.lower())
    title = _TITLES.get(Path(file.name).stem.lower(), "Consensus triplets")
    name = options.study or "triplets"
    references, positions = _collect_references(pairs)
    n_votes = max(len(pair.rows) for pair in pairs)
    return DatasetRecord(
        name=name,
        title=title,
        source=_SOURCE if title != "Consensus triplets" else file.name,
        digest=digest_files([file]),
        references=references,
        systems=[SystemRecord(_SYSTEM)],
        candidates=[
            CandidateRecord(key, pair.image, _SYSTEM, text)
            for pair in pairs
            for key, text in zip(_name_candidates(pair), pair.captions, strict=True)
        ],
        studies=[
            StudyRecord(
                name=name,
                title=f"{title}, consensus votes",
                kind=TaskKind.PAIRWISE,
                protocol="triplet@1",
                design=StudyDesign(
                    question="Which caption is more similar to the reference?",
                    allows_no_preference=any(value == 0 for pair in pairs for _, value in pair.rows),
                    raters_per_task=n_votes,
                ),
                raters=name_votes(n_votes),
                are_placeholders=True,
                items=[_build_item(pair) for pair in pairs],
                rows_read=sum(len(pair.rows) for pair in pairs),
            )
        ],
        reference_sets=[
            ReferenceSetRecord(
                SHIPPED, {key: [positions[pair.key]] for pair in pairs for key in _name_candidates(pair)}
            )
        ],
        notes=_list_notes(pairs),
    )


def _group_rows(rows: Sequence[TripletRow]) -> list[list[TripletRow]]:
    """Return the rows of each pair.

    Runs of 48 rows, or of a multiple, are pairs of their own even if two pairs have the same captions. In any other
    file, all rows with the same two captions (of the same image) are one pair, in either order.
    """

    def identify(row: TripletRow) -> tuple[str, str, frozenset[str]]:
        return row.image, row.category, frozenset(map(normalize_caption, row.captions))

    runs = [list(run) for _, run in groupby(rows, key=identify)]
    if all(len(run) % VOTES_PER_PAIR == 0 for run in runs):
        return [run[start : start + VOTES_PER_PAIR] for run in runs for start in range(0, len(run), VOTES_PER_PAIR)]
    together: dict[object, list[TripletRow]] = {}
    for run in runs:
        together.setdefault(identify(run[0]), []).extend(run)
    return list(together.values())


def _name_pairs(groups: Sequence[Sequence[TripletRow]], *, stem: str) -> list[_Pair]:
    width = max(4, len(str(len(groups))))
    known = _ABSTRACT_CATEGORIES if stem == "consensus_abstract" and len(groups) == len(_ABSTRACT_CATEGORIES) else ()
    pairs = []
    for number, rows in enumerate(groups, start=1):
        first = rows[0]
        key = f"pair-{number:0{width}d}"
        pairs.append(
            _Pair(
                key=key,
                # The files do not say which pairs are of one image.
                image=first.image or key,
                category=first.category or (known[number - 1] if known else ""),
                captions=first.captions,
                rows=tuple((row.anchor, _turn_vote(row, first)) for row in rows),
            )
        )
    return pairs


def _turn_vote(row: TripletRow, first: TripletRow) -> int:
    """Return the vote of a row as one on the captions in the order of the first row of its pair."""
    same = [normalize_caption(text) for text in row.captions] == [normalize_caption(text) for text in first.captions]
    return row.value if same else -row.value


def _collect_references(pairs: Sequence[_Pair]) -> tuple[dict[str, list[str]], dict[str, list[int]]]:
    """Return the references of each image, and by pair the positions of those that it was compared with."""
    references: dict[str, list[str]] = {}
    positions: dict[str, list[int]] = {}
    for pair in pairs:
        anchors = [anchor for anchor, _ in pair.rows]
        if len(anchors) != VOTES_PER_PAIR:
            # Several raters may have seen one reference. In the published files each row has another one, and two
            # people may have written the same text.
            anchors = list(dict.fromkeys(anchors))
        positions[pair.key] = place_texts(anchors, references.setdefault(pair.image, []))
    return references, positions


def _name_candidates(pair: _Pair) -> tuple[str, str]:
    return f"{pair.key}-b", f"{pair.key}-c"


def _build_item(pair: _Pair) -> ItemRecord:
    # Each vote has a reference of its own, so it is stored with the judgment and not with the item.
    votes = tuple(
        JudgmentRecord(rater, float(value), {"anchor": anchor})
        for rater, (anchor, value) in zip(name_votes(len(pair.rows)), pair.rows, strict=True)
    )
    return ItemRecord(pair.key, pair.image, *_name_candidates(pair), pair.category, votes)


def _list_notes(pairs: Sequence[_Pair]) -> tuple[str, ...]:
    n_tied = sum(sum(value for _, value in pair.rows) == 0 for pair in pairs)
    counts = sorted({len(pair.rows) for pair in pairs})
    votes = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    notes = [f"{len(pairs):,} pairs with {votes} votes each"]
    if n_tied:
        pairs_are, verb = ("pair", "is") if n_tied == 1 else ("pairs", "are")
        notes.append(
            f"{n_tied:,} {pairs_are} with as many votes for B as for C {verb} left out of accuracies, and counted"
        )
    return tuple(notes)
