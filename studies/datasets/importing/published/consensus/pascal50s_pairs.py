"""The references of PASCAL-50S, and its pairs of captions with their direct votes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from studies.datasets.importing.files.mat_files import is_cells, load_mat, unwrap_numbers, unwrap_text
from studies.datasets.importing.values import read_key, read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

HUMAN: Final = 6
HUMAN_OTHER: Final = 7
CATEGORIES: Final = ("HC", "HI", "HM", "MM")
_MOST_VOTES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair of captions: the two texts, their systems (1 to 7), the category, and the votes (+1 = first)."""

    number: int
    image: str
    texts: tuple[str, str]
    writers: tuple[int, int]
    category: str
    votes: tuple[int, ...]


def read_references(file: SourceFile) -> dict[str, list[str]]:
    """Read pascal50S.mat: the references of each image."""
    records = load_mat(file, variables={"refs": ("image", "sent")})["refs"].reshape(-1)
    references: dict[str, list[str]] = {}
    for number, record in enumerate(records, start=1):
        location = SourceLocation(file.name, f"record {number}")
        image = read_key(unwrap_text(record["image"], location.at("image")), location.at("image"), longest=200)
        if image in references:
            raise ImportFailed(location.at("image"), "must occur only once", got=image)
        cells = record["sent"]
        if not is_cells(cells) or not cells.size:
            raise ImportFailed(location.at("sent"), "must be a cell array of texts")
        references[image] = [
            read_text(unwrap_text(cell, location.at("sent")), location.at("sent")) for cell in cells.flat
        ]
    return references


def read_pairs(file: SourceFile, *, images: Mapping[str, Any]) -> list[Pair]:
    """Read pair_pascal.mat; every image must be one of `images`."""
    fields = {"new_input": ("name", "sent1", "sent2"), "new_data": (), "category": (), "result": ("result",)}
    data = load_mat(file, variables=fields)
    inputs, results = data["new_input"].reshape(-1), data["result"].reshape(-1)
    writers = unwrap_numbers(data["new_data"], SourceLocation(file.name, "variable new_data"))
    categories = unwrap_numbers(data["category"], SourceLocation(file.name, "variable category"))
    for name, count in (("new_data", len(writers) / 2), ("category", len(categories)), ("result", len(results))):
        if count != len(inputs):
            rule = f"must have a row for each of the {len(inputs)} pairs of new_input"
            raise ImportFailed(SourceLocation(file.name, f"variable {name}"), rule, got=Unquoted(f"{count:g}"))
    return [
        _read_pair(
            SourceLocation(file.name, f"record {number}"),
            number,
            record=inputs[number - 1],
            writers=(writers[2 * number - 2], writers[2 * number - 1]),
            category=categories[number - 1],
            votes=results[number - 1]["result"],
            images=images,
        )
        for number in range(1, len(inputs) + 1)
    ]


def _read_pair(
    location: SourceLocation,
    number: int,
    *,
    record: Any,
    writers: tuple[int, int],
    category: int,
    votes: Any,
    images: Mapping[str, Any],
) -> Pair:
    image = unwrap_text(record["name"], location.at("name"))
    if image not in images:
        raise ImportFailed(location.at("name"), "must be an image of pascal50S.mat", got=image)
    texts = [read_text(unwrap_text(record[name], location.at(name)), location.at(name)) for name in ("sent1", "sent2")]
    expected = _name_category(writers, location.at("new_data"))
    if not 1 <= category <= len(CATEGORIES) or CATEGORIES[category - 1] != expected:
        rule = f"must be {CATEGORIES.index(expected) + 1} ({expected}) for captions by {writers[0]} and {writers[1]}"
        raise ImportFailed(location.at("category"), rule, got=Unquoted(f"{category}"))
    ballots = unwrap_numbers(votes, location.at("result"))
    if not 1 <= len(ballots) <= _MOST_VOTES or any(vote not in (1, -1) for vote in ballots):
        got = Unquoted(", ".join(map(str, ballots[:20])) or "none")
        raise ImportFailed(location.at("result"), "must be votes of 1 or -1", got=got)
    return Pair(number, image, (texts[0], texts[1]), writers, expected, tuple(ballots))


def _name_category(writers: tuple[int, int], location: SourceLocation) -> str:
    people = sorted(writer for writer in writers if writer in (HUMAN, HUMAN_OTHER))
    machines = [writer for writer in writers if 1 <= writer < HUMAN]
    named = {(HUMAN, HUMAN): "HC", (HUMAN, HUMAN_OTHER): "HI", (HUMAN,): "HM", (): "MM"}.get(tuple(people))
    if named is None or len(people) + len(machines) != 2:
        rule = "must be two writers from 1 to 7 that make a category (6,6 HC; 6,7 HI; 6 and 1-5 HM; two of 1-5 MM)"
        raise ImportFailed(location, rule, got=Unquoted(f"{writers[0]}, {writers[1]}"))
    return named
