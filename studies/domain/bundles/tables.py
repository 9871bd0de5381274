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


def read_versions(report: Report) -> dict[str, str]:
    """Return the version of each metric, read off the signature of its scores."""
    signatures = {metric.id: metric.signature for metric in report.metrics}
    return {name: signatures[name].removesuffix("|negated").rpartition("|v:")[2] for name in sorted(signatures)}
