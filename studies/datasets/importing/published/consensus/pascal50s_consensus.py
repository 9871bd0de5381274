"""The consensus study of PASCAL-50S: its published labels, and its single votes if available."""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studies.datasets.importing.files.json_files import check_list, check_object, read_json
from studies.datasets.importing.published.consensus.pascal50s_pairs import CATEGORIES, Pair
from studies.datasets.importing.published.consensus.triplet_rows import TripletRow, read_triplet_rows
from studies.datasets.importing.values import read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile
from studies.shared.text import normalize_caption

VOTES_PER_PAIR: Final = 48


@dataclass(frozen=True, slots=True)
class Consensus:
    """The result of the consensus study for one pair: the label (+1 = first caption) and its five references."""

    label: int
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TripletVote:
    """One vote of the consensus study: which caption (+1 = first) is closer to the anchor."""

    value: int
    anchor: str


def read_consensus(file: SourceFile, pairs: Sequence[Pair]) -> list[Consensus]:
    """Read pascal_50s.json, `{category: [{image, captions, label, references}]}`, in the order of the pairs."""
    data = check_object(read_json(file), SourceLocation(file.name), fields=CATEGORIES)
    waiting: defaultdict[tuple[str, ...], deque[Consensus]] = defaultdict(deque)
    for category in CATEGORIES:
        for number, record in enumerate(check_list(data[category], SourceLocation(file.name, field=category)), start=1):
            location = SourceLocation(file.name, f"{category} record {number}")
            check_object(record, location, fields=("image", "captions", "label", "references"))
            captions = _read_texts(record["captions"], location.at("captions"))
            references = _read_texts(record["references"], location.at("references"))
            if record["label"] not in (0, 1) or isinstance(record["label"], bool):
                raise ImportFailed(location.at("label"), "must be 0 or 1", got=record["label"])
            image = read_text(record["image"], location.at("image")).rpartition("/")[2]
            key = (category, image, *(caption.strip() for caption in captions))
            waiting[key].append(Consensus(1 if record["label"] == 0 else -1, references))
    found: list[Consensus] = []
    for pair in pairs:
        key = (pair.category, pair.image, *(text.strip() for text in pair.texts))
        if not waiting[key]:
            rule = f"must have a record for pair {pair.number} of pair_pascal.mat"
            got = Unquoted(f"none in {pair.category} with image {pair.image} and both its captions")
            raise ImportFailed(file.name, rule, got=got)
        found.append(waiting[key].popleft())
    if left := [key for key, records in waiting.items() if records]:
        rule = "must only contain pairs of pair_pascal.mat, each once"
        raise ImportFailed(SourceLocation(file.name, left[0][0]), rule, got=" | ".join(left[0][1:]))
    return found


def read_triplets(file: SourceFile, pairs: Sequence[Pair]) -> list[tuple[TripletVote, ...]]:
    """Read consensus_pascal.mat: 48 consecutive votes per pair, in the order of the pairs."""
    rows = read_triplet_rows(file)
    if len(rows) != VOTES_PER_PAIR * len(pairs):
        rule = f"must have {VOTES_PER_PAIR} records for each of the {len(pairs)} pairs"
        raise ImportFailed(SourceLocation(file.name, "variable triplets"), rule, got=Unquoted(f"{len(rows)} records"))
    votes = [_check_vote(row, pairs[index // VOTES_PER_PAIR]) for index, row in enumerate(rows)]
    return [tuple(votes[start : start + VOTES_PER_PAIR]) for start in range(0, len(votes), VOTES_PER_PAIR)]


def _read_texts(value: object, location: SourceLocation) -> tuple[str, ...]:
    return tuple(read_text(text, location) for text in check_list(value, location))


def _check_vote(row: TripletRow, pair: Pair) -> TripletVote:
    # Compare letters only, since the blanks in captions differ between the files.
    letters, own = [normalize_caption(text) for text in row.captions], [normalize_caption(text) for text in pair.texts]
    if letters not in (own, own[::-1]):
        rule = f"must show the two captions of pair {pair.number} of pair_pascal.mat as B and C"
        raise ImportFailed(row.location, rule, got=" | ".join(row.captions))
    return TripletVote(row.value if letters == own else -row.value, row.anchor)
