"""The files of PASCAL-50S as values: references, pairs with their direct votes, and the consensus study."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studies.domain.importing.errors import ImportFailed, Place, Unquoted
from studies.domain.importing.files import SourceFile
from studies.domain.importing.json_files import check_list, check_object, read_json
from studies.domain.importing.mat_files import is_cells, load_mat, unwrap_numbers, unwrap_text
from studies.domain.importing.values import read_key, read_text

HUMAN: Final = 6
HUMAN_OTHER: Final = 7
CATEGORIES: Final = ("HC", "HI", "HM", "MM")
VOTES_PER_PAIR: Final = 48
_MOST_VOTES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair of captions: the two texts, who wrote them (1 to 7), its category, and the votes (+1 = first)."""

    number: int
    image: str
    texts: tuple[str, str]
    writers: tuple[int, int]
    category: str
    votes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the consensus study says of one pair: the label (+1 = first caption) and its five references."""

    label: int
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TripletVote:
    """One vote of the consensus study: which caption (+1 = first) is closer to the anchor."""

    value: int
    anchor: str


def read_references(file: SourceFile) -> dict[str, list[str]]:
    """Read pascal50S.mat: the references of each image."""
    records = load_mat(file, variables={"refs": ("image", "sent")})["refs"].reshape(-1)
    references: dict[str, list[str]] = {}
    for number, record in enumerate(records, start=1):
        place = Place(file.name, f"record {number}")
        image = read_key(unwrap_text(record["image"], place.at("image")), place.at("image"), longest=200)
        if image in references:
            raise ImportFailed(place.at("image"), "must be there once only", got=image)
        cells = record["sent"]
        if not is_cells(cells) or not cells.size:
            raise ImportFailed(place.at("sent"), "must be a cell array of texts")
        references[image] = [read_text(unwrap_text(cell, place.at("sent")), place.at("sent")) for cell in cells.flat]
    return references


def read_pairs(file: SourceFile, *, images: Mapping[str, Any]) -> list[Pair]:
    """Read pair_pascal.mat; every image must be one of `images`."""
    fields = {"new_input": ("name", "sent1", "sent2"), "new_data": (), "category": (), "result": ("result",)}
    data = load_mat(file, variables=fields)
    inputs, results = data["new_input"].reshape(-1), data["result"].reshape(-1)
    writers = unwrap_numbers(data["new_data"], Place(file.name, "variable new_data"))
    categories = unwrap_numbers(data["category"], Place(file.name, "variable category"))
    for name, count in (("new_data", len(writers) / 2), ("category", len(categories)), ("result", len(results))):
        if count != len(inputs):
            rule = f"must have a row for each of the {len(inputs)} pairs of new_input"
            raise ImportFailed(Place(file.name, f"variable {name}"), rule, got=Unquoted(f"{count:g}"))
    return [
        _read_pair(
            Place(file.name, f"record {number}"),
            number,
            record=inputs[number - 1],
            writers=(writers[2 * number - 2], writers[2 * number - 1]),
            category=categories[number - 1],
            votes=results[number - 1]["result"],
            images=images,
        )
        for number in range(1, len(inputs) + 1)
    ]


def read_consensus(file: SourceFile, pairs: Sequence[Pair]) -> list[Consensus]:
    """Read pascal_50s.json, `{category: [{image, captions, label, references}]}`, into the order of the pairs."""
    data = check_object(read_json(file), Place(file.name), fields=CATEGORIES)
    waiting: defaultdict[tuple[str, ...], deque[Consensus]] = defaultdict(deque)
    for category in CATEGORIES:
        for number, record in enumerate(check_list(data[category], Place(file.name, field=category)), start=1):
            place = Place(file.name, f"{category} record {number}")
            check_object(record, place, fields=("image", "captions", "label", "references"))
            captions = _read_texts(record["captions"], place.at("captions"))
            references = _read_texts(record["references"], place.at("references"))
            if record["label"] not in (0, 1) or isinstance(record["label"], bool):
                raise ImportFailed(place.at("label"), "must be 0 or 1", got=record["label"])
            image = read_text(record["image"], place.at("image")).rpartition("/")[2]
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
        rule = "may hold only pairs of pair_pascal.mat, each once"
        raise ImportFailed(Place(file.name, left[0][0]), rule, got=" | ".join(left[0][1:]))
    return found


def read_triplets(file: SourceFile, pairs: Sequence[Pair]) -> list[tuple[TripletVote, ...]]:
    """Read consensus_pascal.mat: for each pair its 48 votes, which stand together and in the order of the pairs."""
    records = load_mat(file, variables={"triplets": ("A", "B", "C", "rating")})["triplets"].reshape(-1)
    if len(records) != VOTES_PER_PAIR * len(pairs):
        rule = f"must have {VOTES_PER_PAIR} records for each of the {len(pairs)} pairs"
        raise ImportFailed(Place(file.name, "variable triplets"), rule, got=Unquoted(f"{len(records)} records"))
    votes = list(_read_votes(file, records, pairs))
    return [tuple(votes[start : start + VOTES_PER_PAIR]) for start in range(0, len(votes), VOTES_PER_PAIR)]


def _read_pair(
    place: Place,
    number: int,
    *,
    record: Any,
    writers: tuple[int, int],
    category: int,
    votes: Any,
    images: Mapping[str, Any],
) -> Pair:
    image = unwrap_text(record["name"], place.at("name"))
    if image not in images:
        raise ImportFailed(place.at("name"), "must be an image of pascal50S.mat", got=image)
    texts = [read_text(unwrap_text(record[name], place.at(name)), place.at(name)) for name in ("sent1", "sent2")]
    expected = _name_category(writers, place.at("new_data"))
    if not 1 <= category <= len(CATEGORIES) or CATEGORIES[category - 1] != expected:
        rule = f"must be {CATEGORIES.index(expected) + 1} ({expected}) for captions by {writers[0]} and {writers[1]}"
        raise ImportFailed(place.at("category"), rule, got=Unquoted(f"{category}"))
    ballots = unwrap_numbers(votes, place.at("result"))
    if not 1 <= len(ballots) <= _MOST_VOTES or any(vote not in (1, -1) for vote in ballots):
        got = Unquoted(", ".join(map(str, ballots[:20])) or "none")
        raise ImportFailed(place.at("result"), "must be votes of 1 or -1", got=got)
    return Pair(number, image, (texts[0], texts[1]), writers, expected, tuple(ballots))


def _name_category(writers: tuple[int, int], place: Place) -> str:
    people = sorted(writer for writer in writers if writer in (HUMAN, HUMAN_OTHER))
    machines = [writer for writer in writers if 1 <= writer < HUMAN]
    named = {(HUMAN, HUMAN): "HC", (HUMAN, HUMAN_OTHER): "HI", (HUMAN,): "HM", (): "MM"}.get(tuple(people))
    if named is None or len(people) + len(machines) != 2:
        rule = "must be two writers from 1 to 7 that make a category (6,6 HC; 6,7 HI; 6 and 1-5 HM; two of 1-5 MM)"
        raise ImportFailed(place, rule, got=Unquoted(f"{writers[0]}, {writers[1]}"))
    return named


def _read_texts(value: object, place: Place) -> tuple[str, ...]:
    return tuple(read_text(text, place) for text in check_list(value, place))


def _read_votes(file: SourceFile, records: Any, pairs: Sequence[Pair]) -> Iterator[TripletVote]:
    for index, record in enumerate(records):
        place = Place(file.name, f"record {index + 1}")
        pair = pairs[index // VOTES_PER_PAIR]
        anchor, *shown = (unwrap_text(record[name], place.at(name)) for name in ("A", "B", "C"))
        value = unwrap_numbers(record["rating"], place.at("rating"))
        if value not in ([1], [-1]):
            raise ImportFailed(place.at("rating"), "must be 1 or -1", got=Unquoted(", ".join(map(str, value[:20]))))
        # Compared by their letters: the captions are the pair's, which other files write with other blanks.
        letters, own = [_keep_letters(text) for text in shown], [_keep_letters(text) for text in pair.texts]
        if letters not in (own, own[::-1]):
            rule = f"must show the two captions of pair {pair.number} of pair_pascal.mat as B and C"
            raise ImportFailed(place, rule, got=" | ".join(shown))
        yield TripletVote(value[0] if letters == own else -value[0], read_text(anchor, place.at("A")))


def _keep_letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
