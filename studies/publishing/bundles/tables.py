"""The tables of a report as files, the same bytes for the same report."""

from correlation.reports import Report

FOLDER = "report"
CONTENT = f"{FOLDER}/report.json"


def print_tables(report: Report) -> dict[str, bytes]:
    """Return every table by name, the one that says most of a difference first."""
    tables = {
        CONTENT: report.to_json(),
        f"{FOLDER}/values.csv": report.to_csv(),
        f"{FOLDER}/differences.csv": report.to_csv("differences"),
        f"{FOLDER}/table.md": report.to_markdown(),
        f"{FOLDER}/table.tex": report.to_latex(caption=f"{report.title}: metrics against people."),
    }
    return {name: text.encode() for name, text in tables.items()}


def read_signatures(report: Report) -> dict[str, str]:
    """Return the signature of each metric's scores, by id in order."""
    return {each.id: each.signature.removesuffix("|negated") for each in sorted(report.metrics, key=lambda m: m.id)}
