"""Assigns columns of a table to fields, and parses the scale of a rating."""

import ast
import json
import re
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final

from studies.datasets.importing.files.column_names import guess_columns
from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.values import read_key, read_number, read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted

_NEEDED: Final = ("image", "candidate", "value")
FIELDS: Final = (
    *_NEEDED,
    *("item", "rater", "criterion", "system", "other_candidate", "other_system", "anchor", "category"),
    *("reference", "row_reference", "other_row_reference", "metric_score"),
)
_GUESSED: Final = (*_NEEDED, "rater", "criterion", "system", "other_candidate", "other_system")
_EXPORTED: Final = frozenset(
    {"study", "task", "candidate_key", "other_candidate_key", "excluded", "surplus", "answer", "shown"}
    | {"elapsed_ms", "created_at"}
)
"""Columns of exported judgments that no field uses, so that an export can be imported again."""
_SEVERAL: Final = frozenset({"value", "reference", "row_reference", "other_row_reference", "metric_score"})
_OF_CAPTIONS: Final = (
    *("other_candidate", "other_system", "anchor", "category"),
    *("reference", "row_reference", "other_row_reference"),
)
ALL_IMAGES: Final = "all images"
"""The key that stands for the images of a table whose rows are systems."""
_MOST_STEPS: Final = 1_000
_ADJACENT: Final = re.compile(r"""['"]\s*['"]""")
_QUOTED: Final = re.compile(r"""\[\s*['"]""")
_MISSING: Final = ("nan", "null")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of each field: none, one, or, of values, references and scores, several."""

    by_field: dict[str, tuple[str, ...]]

    def has(self, field: str) -> bool:
        return bool(self.by_field[field])

    @property
    def are_of_systems(self) -> bool:
        """Whether a row is about a system as a whole, and has neither an image nor a caption."""
        return not self.has("image")

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria that have a column each; none where there is one column of values."""
        return self.by_field["value"] if len(self.by_field["value"]) > 1 else ()

    def read_image(self, record: Record) -> str:
        """Return the key of a record's image."""
        return ALL_IMAGES if self.are_of_systems else self.read_key(record, "image", longest=200)

    def find(self, record: Record, field: str) -> tuple[Any, SourceLocation]:
        """Return the value of a field and its location; the value is None if it is empty or has no column."""
        if not self.by_field[field]:
            return None, record.location.at(field)
        column = self.by_field[field][0]
        return record.values.get(column), record.location.at(column)

    def require(self, record: Record, field: str) -> tuple[Any, SourceLocation]:
        """Return a record's value of a field, and its location; raise ImportFailed where it is empty."""
        value, location = self.find(record, field)
        if value is None:
            raise ImportFailed(location, "must not be empty")
        return value, location

    def read_text(self, record: Record, field: str) -> str:
        return read_text(*self.require(record, field))

    def read_key(self, record: Record, field: str, *, longest: int, default: str | None = None) -> str:
        if default is not None and self.find(record, field)[0] is None:
            return default
        return read_key(*self.require(record, field), longest=longest)

    def read_texts(self, record: Record, field: str) -> tuple[str, ...]:
        """Return the texts in all columns of a field, where a cell may hold a list; empty cells are left out."""
        return tuple(text for column in self.by_field[field] for text in read_cell(record, column))

    def read_numbers(self, record: Record, field: str) -> dict[str, tuple[float, SourceLocation]]:
        """Return the number in each column of a field that is not empty, with its location."""
        locations = {column: record.location.at(column) for column in self.by_field[field]}
        return {
            column: (read_number(record.values[column], location), location)
            for column, location in locations.items()
            if record.values.get(column) is not None
        }


def read_cell(record: Record, column: str) -> list[str]:
    """Return the texts of a cell, which may hold a list, also as Python or JSON writes it; none of an empty cell."""
    value = record.values.get(column)
    if isinstance(value, str) and value[:1] == "[" and value.rstrip()[-1:] == "]":
        value = parse_list(value, record.location.at(column))
    values = value if isinstance(value, list) else [value]
    # pandas writes a missing text as nan.
    return [read_text(text, record.location.at(column)) for text in values if text is not None and text == text]


def parse_list(text: str, location: SourceLocation) -> list[Any] | str:
    """Return the texts of a written list such as `['a dog', "a man's dog"]`; the text itself if it is not one.

    Missing texts, `None`, `null` or `nan`, are left out. Raises ImportFailed for a list that holds anything else.
    """
    values = _evaluate_list(text)
    if not all(each is None or isinstance(each, str) for each in values or [0]):
        if _QUOTED.match(text):
            raise ImportFailed(location, "must be a list of texts with commas between them", got=text)
        return text
    texts = [each for each in values or () if each is not None]
    # Python joins strings without commas between them, which is how arrays of NumPy are printed.
    if _ADJACENT.search(text) and not _is_json(text):
        strings = sum(token.type == tokenize.STRING for token in tokenize.generate_tokens(StringIO(text).readline))
        if strings != len(texts):
            raise ImportFailed(location, "must be a list of texts with commas between them", got=text)
    return texts


def _evaluate_list(text: str) -> list[Any] | None:
    """Return the values of a list as JSON or Python writes it, None for a missing one; None for anything else."""
    if _is_json(text):
        values = json.loads(text)
        # NaN is the only value that differs from itself.
        return [each if each == each else None for each in values]
    try:
        tree = ast.parse(text, mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(tree, ast.List):
        return None
    is_missing = [isinstance(each, ast.Name) and each.id in _MISSING for each in tree.elts]
    values = [each.value if isinstance(each, ast.Constant) else each for each in tree.elts]
    return [None if missing else value for missing, value in zip(is_missing, values, strict=True)]


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False


def match_columns(
    choices: Sequence[str],
    *,
    table: Table,
    criteria: Sequence[str] = (),
    ignores_others: bool = False,
    guesses: bool = False,
) -> Columns:
    """Read `FIELD=COLUMN` choices; a field not chosen is the column of its own name, if there is one.

    Args:
        choices: As a person gave them.
        table: The table.
        criteria: Names of columns that are values where the table has them all and nothing else is chosen.
        ignores_others: Whether the table may have columns that no field takes.
        guesses: Whether fields without a column are recognised by common names, such as `img` or `text`.

    Raises ImportFailed for an unknown field, a column that the table lacks, a needed field without a column, or a
    column that nothing takes.
    """
    chosen: dict[str, list[str]] = {field: [] for field in FIELDS}
    for choice in choices:
        field, equals, column = choice.partition("=")
        if not equals or field not in FIELDS:
            raise ImportFailed("--column", f"must be FIELD=COLUMN with a field of {', '.join(FIELDS)}", got=choice)
        if column not in table.columns:
            rule = f"must name a column of {table.name} ({', '.join(table.columns)})"
            raise ImportFailed(f"--column {field}", rule, got=column)
        if chosen[field] and field not in _SEVERAL:
            raise ImportFailed(
                f"--column {field}", "may be given for one column only", got=Unquoted(f"{chosen[field][0]}, {column}")
            )
        chosen[field].append(column)
    taken = {column for names in chosen.values() for column in names}
    columns = {
        field: tuple(names) or ((field,) if field in table.columns and field not in taken else ())
        for field, names in chosen.items()
    }
    if guesses:
        free = [
            column for column in table.columns if column not in {each for names in columns.values() for each in names}
        ]
        lacking = [field for field in _GUESSED if not columns[field]]
        columns |= {field: (column,) for field, column in guess_columns(free, fields=lacking).items()}
    if not columns["value"] and criteria and set(criteria) <= set(table.columns) - taken:
        columns["value"] = tuple(criteria)
    is_of_systems = not columns["image"] and not columns["candidate"] and bool(columns["system"])
    for field in ("value",) if is_of_systems else _NEEDED:
        if not columns[field]:
            rule = f"needs --column {field}=COLUMN, because the table has no column {field}"
            raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
    _check_together(columns, is_of_systems=is_of_systems)
    unknown = sorted(set(table.columns) - {column for names in columns.values() for column in names} - _EXPORTED)
    if unknown and not ignores_others:
        rule = (
            "may have only columns of fields: assign each by --column FIELD=COLUMN, or ignore them by --ignore-columns"
        )
        raise ImportFailed(table.name, rule, got=Unquoted(", ".join(unknown)))
    return Columns(columns)


def _check_together(columns: Mapping[str, Sequence[str]], *, is_of_systems: bool) -> None:
    """Refuse fields that contradict each other."""
    has_criteria = bool(columns["criterion"]) or len(columns["value"]) > 1
    wrong = [
        (
            columns["criterion"] and len(columns["value"]) > 1,
            "criterion",
            "cannot be given with several columns of values",
        ),
        (has_criteria and columns["category"], "category", "cannot be given where there are several criteria"),
        (
            has_criteria and columns["other_candidate"],
            "other_candidate",
            "cannot be given where there are several criteria",
        ),
        (columns["other_row_reference"] and not columns["row_reference"], "other_row_reference", "needs row_reference"),
        (
            columns["other_row_reference"] and not columns["other_candidate"],
            *("other_row_reference", "is for pairs, and needs other_candidate"),
        ),
        (columns["metric_score"] and columns["other_candidate"], "metric_score", "is for ratings; see import_scores"),
        *((is_of_systems and columns[field], field, "needs image and candidate") for field in _OF_CAPTIONS),
    ]
    for is_wrong, field, rule in wrong:
        if is_wrong:
            raise ImportFailed(f"--column {field}", rule, got=Unquoted(", ".join(columns[field])))


def parse_scale(text: str) -> tuple[float, ...]:
    """Parse `1-5` (every whole number of the range) or `1,2,3,4`, from lowest to highest."""
    if span := re.fullmatch(r"(\d{1,6})-(\d{1,6})", text):
        low, high = int(span[1]), int(span[2])
        if not low < high <= low + _MOST_STEPS:
            raise ImportFailed("--scale", f"must increase, with at most {_MOST_STEPS} steps", got=text)
        return tuple(float(value) for value in range(low, high + 1))
    values = tuple(read_number(part, SourceLocation("--scale")) for part in text.split(","))
    if len(values) < 2 or list(values) != sorted(set(values)):
        raise ImportFailed(
            "--scale", "must be a range such as 1-5, or at least two increasing values such as 1,2,3,4", got=text
        )
    return values
