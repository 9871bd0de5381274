"""Judgments in words, as training tells them: the value that a kind stores, said as the rater saw it."""

from collections.abc import Sequence

from django.utils.translation import gettext

from studies.domain.design import StudyDesign
from studies.domain.queries.shown_tasks import ShownItem
from studies.enums import TaskKind


def describe_answer(kind: str, value: float | None, *, shown: ShownItem, design: StudyDesign) -> str:
    """Return what was answered; empty where there is no value, as of a written caption."""
    if value is None:
        return ""
    if kind == TaskKind.PAIRWISE:
        return _describe_choice(value, shown)
    labels = {point.value: point.label for point in design.scale}
    return labels.get(value, f"{value:g}")


def describe_expected(
    kind: str, expected: Sequence[float | Sequence[float]], *, shown: ShownItem, design: StudyDesign
) -> str:
    """Return what counts as right: values, or the lowest and highest of those that do, with "or" between."""
    parts = []
    for entry in expected:
        ends = entry if isinstance(entry, Sequence) else (entry,)
        words = [describe_answer(kind, float(end), shown=shown, design=design) for end in ends]
        parts.append(
            gettext("%(low)s to %(high)s") % dict(zip(("low", "high"), words, strict=True))
            if len(words) > 1
            else words[0]
        )
    return gettext(" or ").join(parts)


def _describe_choice(value: float, shown: ShownItem) -> str:
    if value == 0:
        return gettext("No preference")
    is_second = (value < 0) != shown.is_swapped
    return f"“{shown.captions[is_second]}”"
