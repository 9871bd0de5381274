"""The tables of a report as deterministic files."""

from correlation.reports import Report
from correlation.reports.forms import TABLE_FORMS
from correlation.reports.records import print_csv

FOLDER = "report"
CONTENT = f"{FOLDER}/report.json"


def print_tables(report: Report) -> dict[str, bytes]:
    """Return the tables by name; those most informative about a difference come first."""
    tables = {
        CONTENT: TABLE_FORMS["json"](report),
        f"{FOLDER}/values.csv": print_csv(report),
        f"{FOLDER}/differences.csv": print_csv(report, "differences"),
        f"{FOLDER}/table.md": TABLE_FORMS["md"](report),
        f"{FOLDER}/table.tex": TABLE_FORMS["tex"](report),
    }
    return {name: text.encode() for name, text in tables.items()}


def read_signatures(report: Report) -> dict[str, str]:
    """Return the signatures of the scores by metric id, in order."""
    return {each.id: each.signature.removesuffix("|negated") for each in sorted(report.metrics, key=lambda m: m.id)}
