"""Prints the quality of raters' work."""

from math import isnan

from studies.management.printing.tables import format_table
from studies.monitoring.quality import QualityReport, RaterRecord

_HEADER = ("rater", "outcome", "n", "seconds", "pace", "same", "run", "first", "agreement", "failed", "p perturbed")


def print_quality(report: QualityReport) -> str:
    """Return one line per rater, then remarks on some of them."""
    blocks = [format_table(_HEADER, [_print_record(record) for record in report.raters], n_names=2)]
    remarks = [f"{record.rater}: {remark}" for record in report.raters for remark in _list_remarks(record)]
    if remarks:
        blocks.append("\n".join(remarks))
    if report.rules_changed_at:
        blocks.append(
            f"The exclusion criteria were changed after the start, on {report.rules_changed_at:%Y-%m-%d %H:%M} UTC."
        )
    return "\n\n".join(blocks)


def _list_remarks(record: RaterRecord) -> list[str]:
    remarks = [f"meets {name}: {words}" for name, words in record.broken.items()]
    if record.excluded:
        remarks.append(f"is excluded: {record.excluded}")
    if record.may_reject:
        remarks.append("failed enough attention checks for a panel to accept a rejection")
    return remarks


def _print_record(record: RaterRecord) -> tuple[str, ...]:
    work = record.work
    return (
        record.rater,
        record.outcome or "at work",
        str(work.n) if work else "0",
        _print_number(work.median_seconds if work else float("nan"), digits=1),
        _print_number(work.pace if work else float("nan")),
        _print_number(work.same_share if work else float("nan")),
        str(work.longest_run) if work else "-",
        _print_number(record.first_share),
        _print_number(work.agreement if work else float("nan")),
        f"{record.n_failed}/{record.n_checks}",
        _print_number(record.perturbed_p, digits=3),
    )


def _print_number(value: float, *, digits: int = 2) -> str:
    return "-" if isnan(value) else f"{value:.{digits}f}"
