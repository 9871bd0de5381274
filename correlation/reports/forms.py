"""The output formats of a report's table."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from correlation.reports.json_form import print_json
from correlation.reports.latex import print_latex
from correlation.reports.markdown import print_markdown
from correlation.reports.records import print_csv
from correlation.reports.report import Report


def print_latex_table(report: Report) -> str:
    """Print a complete LaTeX `table` with the report's title as caption."""
    return print_latex(report, caption=f"{report.title}: metrics against people.")


TABLE_FORMS: Mapping[str, Callable[[Report], str]] = MappingProxyType(
    {"md": print_markdown, "tex": print_latex_table, "json": print_json, "csv": print_csv}
)
"""Functions that print the table, by file extension."""
