"""Print reports in LaTeX with booktabs."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from correlation.protocols.row import ResultRow
from correlation.reports.layout import (
    NumberStyle,
    TableLine,
    arrange_ceilings,
    arrange_metrics,
    head_columns,
    list_columns,
    list_signatures,
    write_sentences,
)
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling


def print_latex(
    report: Report,
    *,
    caption: str | None = None,
    label: str | None = None,
    digits: int | None = None,
    percent: bool = False,
) -> str:
    r"""Print a `tabular` that needs only `\usepackage{booktabs}`.

    The best value of each column is bold. The interval is printed as a subscript and the letters as a
    superscript, with a dagger for values above the human ceiling. Signatures are printed in comments.

    Parameters
    ----------
    caption, label
        With a caption, a complete `table` is printed with the notes after the caption; otherwise the notes are
        comments. Text is escaped.
    digits
        Number of decimals; by default 3, or 1 for percentages.
    percent
        Whether to print values and intervals multiplied by 100.
    """
    style = NumberStyle.choose(digits, percent=percent)
    sentences = write_sentences(report)
    remarks = list_signatures(report) if caption is not None else (*sentences, *list_signatures(report))
    lines = ["% Needs \\usepackage{booktabs}.", *(_comment(text) for text in (report.title, *remarks) if text)]
    tabular = _print_tabular(report, style)
    if caption is None:
        return "\n".join([*lines, *tabular]) + "\n"
    told = " ".join(escape_latex(text) for text in (caption, *sentences))
    lines += ["\\begin{table}", "\\centering", *tabular, f"\\caption{{{told}}}"]
    lines += [f"\\label{{{_clean_label(label)}}}"] if label else []
    return "\n".join([*lines, "\\end{table}"]) + "\n"


def escape_latex(text: str) -> str:
    r"""Escape text so that LaTeX prints it literally, and put it on one line.

    >>> print(escape_latex("spice_u 50% [x] a--b"))
    spice\_u 50\% {[}x{]} a-{}-b
    """
    escaped = re.sub("|".join(map(re.escape, ESCAPES)), lambda found: ESCAPES[found[0]], " ".join(text.split()))
    return re.sub("-(?=-)", "-{}", escaped)


def _print_tabular(report: Report, style: NumberStyle) -> list[str]:
    n_measures = len(list_columns(report))
    ceilings = [_print_line(line, style, is_ceiling=True) for line in arrange_ceilings(report)]
    return [
        f"\\begin{{tabular}}{{l{'l' * n_measures}rr}}",
        "\\toprule",
        *_print_heads(report),
        "\\midrule",
        *(_print_line(line, style, is_ceiling=False) for line in arrange_metrics(report)),
        *(["\\midrule", *ceilings] if ceilings else []),
        "\\bottomrule",
        "\\end{tabular}",
    ]


def _print_heads(report: Report) -> list[str]:
    """Print the headings; if all columns are categories of one coefficient, it is printed above them."""
    measures = list_columns(report)
    shared = {measure.coefficient for measure in measures}
    if len(shared) == 1 and len(measures) > 1 and all(measure.category for measure in measures):
        over = f"\\multicolumn{{{len(measures)}}}{{c}}{{{TITLES[measures[0].coefficient]}}}"
        return [
            _join(["", over, "", ""]),
            f"\\cmidrule(lr){{2-{len(measures) + 1}}}",
            _join(["metric", *(escape_latex(measure.category or "") for measure in measures), "$n$", "missing"]),
        ]
    return [_join(["metric", *_escape_heads(report), "$n$", "missing"])]


def _escape_heads(report: Report) -> list[str]:
    # Only categories are user text and need escaping: the titles are already LaTeX.
    plain = dict.fromkeys(TITLES, "")
    tails = head_columns(report, plain)
    return [TITLES[m.coefficient] + escape_latex(tail) for m, tail in zip(list_columns(report), tails, strict=True)]


def _print_line(line: TableLine, style: NumberStyle, *, is_ceiling: bool) -> str:
    name = escape_latex(line.name)
    cells = [_print_cell(cell, best, style) for cell, best in zip(line.cells, line.best, strict=True)]
    missing = "" if line.n_missing is None else f"{line.n_missing:,}"
    return _join([f"\\textit{{{name}}}" if is_ceiling else name, *cells, f"{line.n:,}", missing])


def _print_cell(cell: ResultRow | ReportCeiling | None, best: bool, style: NumberStyle) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "undefined"
    value = style.print_value(cell.value)
    text = f"\\mathbf{{{value}}}" if best else value
    if cell.low is not None and cell.high is not None:
        text += f"_{{[{style.print_value(cell.low)},\\,{style.print_value(cell.high)}]}}"
    if isinstance(cell, ResultRow):
        marks = f"\\mathrm{{{cell.letters}}}" if cell.letters else ""
        marks += "\\dagger" if cell.is_above_ceiling else ""
        text += f"^{{{marks}}}" if marks else ""
    return f"${text}$"


def _join(cells: Iterable[str]) -> str:
    return " & ".join(cells) + " \\\\"


def _comment(text: str) -> str:
    return f"% {' '.join(text.split())}"


def _clean_label(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9:.\-]", "-", label)


TITLES: Mapping[str, str] = MappingProxyType(
    {
        "pearson": "Pearson $r$",
        "spearman": "Spearman $\\rho$",
        "kendall-a": "Kendall $\\tau_a$",
        "kendall-b": "Kendall $\\tau_b$",
        "kendall-c": "Kendall $\\tau_c$",
        "kendall-wmt": "Kendall $\\tau$ (WMT)",
        "point-biserial": "point-biserial $r$",
        "auc": "AUC",
        "accuracy": "accuracy",
    }
)
# At the start of a row, brackets and a star would be read as arguments of the preceding line end.
ESCAPES: Mapping[str, str] = MappingProxyType(
    {
        "\\": "\\textbackslash{}",
        "{": "\\{",
        "}": "\\}",
        "$": "\\$",
        "&": "\\&",
        "#": "\\#",
        "%": "\\%",
        "_": "\\_",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "<": "\\textless{}",
        ">": "\\textgreater{}",
        "|": "\\textbar{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        '"': "''",
        "†": "$\\dagger$",
        "\N{GREEK SMALL LETTER RHO}": "$\\rho$",
        "τ-a": "$\\tau_a$",
        "τ-b": "$\\tau_b$",
        "τ-c": "$\\tau_c$",
        "τ": "$\\tau$",
    }
)
