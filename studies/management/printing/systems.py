"""Prints rankings of systems."""

from studies.analysis.systems.files import explain, list_cautions, tabulate_differences, tabulate_ranking
from studies.analysis.systems.ranking import StudyRanking
from studies.management.printing.tables import format_table


def print_ranking(found: StudyRanking) -> str:
    """Return the table of systems, the differences between them, and what explains them."""
    table, pairs = tabulate_ranking(found), tabulate_differences(found)
    cautions = "\n".join(f"caution: {each}" for each in list_cautions(found))
    ranked = format_table(table.header, table.printed_rows, n_names=table.n_names)
    compared = format_table(pairs.header, pairs.printed_rows, n_names=pairs.n_names) if pairs.rows else ""
    signatures = "\n".join(dict.fromkeys(each.signature for each in found.rankings))
    parts = [found.study, cautions, ranked, compared, "\n".join(explain(found)), signatures]
    return "\n\n".join(part for part in parts if part)
