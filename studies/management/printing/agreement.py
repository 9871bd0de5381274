"""Prints the agreement of raters."""

from studies.analysis.agreement import AgreementRow, CeilingRow, StudyAgreement
from studies.analysis.truth import TruthRow
from studies.management.printing.tables import format_table


def print_agreement(found: StudyAgreement) -> str:
    """Return the coefficients, the human ceilings and the reasons of undefined values."""
    header = ("agreement", "criterion", "value", "low", "high", "items", "left out", "raters")
    agreement = format_table(header, [_list_agreement(row) for row in found.agreement], n_names=2)
    header = ("human ceiling", "coefficient", "level", "criterion", "value", "low", "high", "n", "parts")
    ceilings = format_table(header, [_list_ceiling(row) for row in found.ceilings], n_names=4)
    header = ("agreement with truth", "coefficient", "value", "low", "high", "n", "left out")
    truth = format_table(header, [_list_truth(row) for row in found.truth], n_names=2) if found.truth else ""
    undefined: dict[str, list[str]] = {}
    for row in found.agreement:
        undefined.setdefault(row.reason or "", []).append(row.coefficient)
    for ceiling in found.ceilings:
        undefined.setdefault(ceiling.reason or "", []).append(f"{ceiling.method} {ceiling.coefficient}")
    for compared in found.truth:
        undefined.setdefault(compared.reason or "", []).append(f"{compared.judged} {compared.coefficient}")
    reasons = [
        f"{', '.join(dict.fromkeys(names))}: {'' if 'infinity' in reason else 'undefined, '}{reason}"
        for reason, names in undefined.items()
        if reason
    ]
    made = f"{found.protocol} / ci:percentile|n:{found.resamples}|confidence:0.95|seed:{found.seed}"
    computed = f"truth computed in study {found.truth[0].truth}" if found.truth else ""
    parts = [found.study, agreement, ceilings, truth, "\n".join(reasons), computed, made]
    return "\n\n".join(part for part in parts if part)


def _list_agreement(row: AgreementRow) -> tuple[str, ...]:
    numbers = (_print(value) for value in (row.value, row.low, row.high))
    counts = (f"{count:,}" for count in (row.n_items, row.n_left_out, row.n_raters))
    return (row.coefficient, row.criterion or "", *numbers, *counts)


def _list_ceiling(row: CeilingRow) -> tuple[str, ...]:
    numbers = (_print(value) for value in (row.value, row.low, row.high))
    return (row.method, row.coefficient, row.level, row.criterion or "", *numbers, f"{row.n:,}", f"{row.n_parts:,}")


def _list_truth(row: TruthRow) -> tuple[str, ...]:
    numbers = (_print(value) for value in (row.value, row.low, row.high))
    return (row.judged, row.coefficient, *numbers, f"{row.n:,}", f"{row.n_left_out:,}")


def _print(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
