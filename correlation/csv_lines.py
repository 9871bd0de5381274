"""Write CSV in which no cell is a formula to a spreadsheet that opens the file.

A caption, key or name could begin with `=`, and a spreadsheet would evaluate it. Such text is prefixed with an
apostrophe, as spreadsheets do for text that is not to be evaluated. `metrics_plugins` does not depend on this package
and has its own `metrics_plugins.text.csv_lines`; both write the same bytes.

References:
    OWASP, CSV Injection, https://owasp.org/www-community/attacks/CSV_Injection
"""

import csv
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

_FORMULAS: Final = frozenset("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - spreadsheets take wide signs as well
_PASSED_OVER: Final = frozenset({"Cc", "Cf", "Zs"})
_PLAIN: Final = frozenset({int, float, type(None)})


class _Echo:
    def write(self, text: str) -> str:
        return text


def write_csv(
    header: Iterable[str], rows: Iterable[Iterable[Any]], *, guards: bool = True, line_end: str = "\r\n"
) -> Iterator[str]:
    """Yield the lines of a CSV file: missing values are empty, lists and objects are JSON, floats are exact.

    Args:
        header: Names of columns.
        rows: Cells, as many as there are names.
        guards: Whether to prefix text that a spreadsheet would evaluate with an apostrophe. Without it, text is
            unchanged, for files that programs read.
        line_end: The line terminator.
    """
    writer = csv.writer(_Echo(), lineterminator=line_end)
    print_text = guard_text if guards else _keep
    yield writer.writerow([print_text(name) for name in header])
    for row in rows:
        yield writer.writerow(_print_row(row, print_text))


def guard_text(text: str) -> str:
    """Return text that a spreadsheet displays unchanged: prefixed with an apostrophe if it would be a formula.

    Leading spaces and invisible characters are ignored in this check; a plain number is not a formula.
    """
    # Fast path: most text begins with a letter.
    if text[:1].isalnum() or not text:
        return text
    seen = next((char for char in text if unicodedata.category(char) not in _PASSED_OVER), "")
    if (text[0] not in _FORMULAS and seen not in _FORMULAS) or _is_number(text):
        return text
    return f"'{text}"


def _print_row(row: Iterable[Any], print_text: Callable[[str], str]) -> Sequence[Any]:
    # Text and numbers, the most common types, are handled without a further call.
    return [
        value
        if (kind := type(value)) in _PLAIN
        else print_text(value)
        if kind is str
        else _print_cell(value, print_text)
        for value in row
    ]


def _print_cell(value: Any, print_text: Callable[[str], str]) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return print_text(str(value))
    return value.isoformat() if hasattr(value, "isoformat") else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and text == text.strip()


def _keep(text: str) -> str:
    return text
