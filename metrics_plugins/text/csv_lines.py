"""Write CSV in which no cell is a formula to a spreadsheet that opens the file.

`correlation.csv_lines` guards text in the same way. The packages do not depend on each other; a test compares them.

References:
    OWASP, CSV Injection, https://owasp.org/www-community/attacks/CSV_Injection
"""

import csv
import io
import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

_FORMULAS: Final = frozenset("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - spreadsheets take wide signs as well
_PASSED_OVER: Final = frozenset({"Cc", "Cf", "Zs"})


def format_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV with newline line ends; undefined numbers are empty, and text is guarded by `guard_text`."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([guard_text(name) for name in header])
    lines.writerows([_print_cell(value) for value in row] for row in rows)
    return text.getvalue()


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


def _print_cell(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return guard_text(str(value)) if isinstance(value, str) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and text == text.strip()
