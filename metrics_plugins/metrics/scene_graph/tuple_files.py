"""Files with the tuples proposed by a parser for each caption, which can be scored without running the parser."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from metrics_plugins.api import MetricError
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals
from metrics_plugins.metrics.scene_graph.steady_files import SteadyFile
from metrics_plugins.readers import InputError
from metrics_plugins.readers.records import shorten

_LONGEST_TUPLE = 3


@dataclass(frozen=True, slots=True)
class TupleFile(SteadyFile):
    """A file of JSON lines, `{"caption": TOKENS, "tuples": [[...], ...]}` (`.jsonl`, or compressed `.jsonl.gz`).

    The caption is given as tokens joined by single spaces, and each tuple as `[object]`, `[object, attribute]` or
    `[subject, object, relation]`, in the order of the parser. A caption whose last token is an abbreviation or a single
    letter is found with or without the full stop after it: the official program's tokeniser decides there by the next
    caption, which this project's does not read.
    """

    def describe(self) -> Mapping[str, SignatureValue]:
        return {"tuples": self.digest}

    def parse(self, lines: Sequence[str]) -> Sequence[Proposals]:
        """Return the tuples of each caption.

        Raises:
            InputError: The file has changed since it was opened, or a line is invalid.
            MetricError: The file does not contain one of the captions.
        """
        table = _read_tuples(self)
        found = {line: next((form for form in _list_forms(line) if form in table), None) for line in set(lines)}
        missing = [line for line in lines if found[line] is None]
        if missing:
            raise MetricError(
                f"{self.path} must hold the tuples of every caption, "
                f"but {len(missing)} of {len(lines)} are missing, such as {missing[0]!r}"
            )
        return [table[found[line] or line] for line in lines]


def _list_forms(line: str) -> tuple[str, ...]:
    """Return the tokens of a caption, and the same without or with a full stop at the end of the last one."""
    return (line, line.removesuffix("."), f"{line}.") if line else (line,)


@lru_cache(maxsize=1)
def _read_tuples(file: TupleFile) -> Mapping[str, Proposals]:
    table: dict[str, Proposals] = {}
    words: dict[str, str] = {}
    # Only a line feed ends a line: JSON strings may contain other line breaks.
    for number, line in enumerate(file.read().removesuffix("\n").split("\n"), start=1):
        caption, proposals = _read_line(line, where=f"{file.path}: line {number}")
        # Tuples repeat the same few thousand words, so each word is stored once.
        table[caption] = tuple(tuple(words.setdefault(word, word) for word in proposal) for proposal in proposals)
    return table


def _read_line(line: str, *, where: str) -> tuple[str, Proposals]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: must be JSON, got: {error}") from error
    if not (isinstance(record, dict) and isinstance(record.get("caption"), str)):
        raise InputError(f"{where}: must be an object with a text 'caption', got {shorten(record)}")
    tuples = record.get("tuples")
    if not (isinstance(tuples, list) and all(map(_is_tuple, tuples))):
        raise InputError(f"{where}: field 'tuples': must be a list of lists of 1 to 3 texts, got {shorten(tuples)}")
    return record["caption"], tuple(map(tuple, tuples))


def _is_tuple(value: object) -> bool:
    return (
        isinstance(value, list)
        and 1 <= len(value) <= _LONGEST_TUPLE
        and all(isinstance(word, str) and word for word in value)
    )
