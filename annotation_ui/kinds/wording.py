"""Judgments in words, as training tells them: the value that a kind stores, said as the rater saw it."""

from collections.abc import Sequence

from django.utils.translation import gettext

from annotation_ui.kinds import KINDS
from studies.collection.shown_tasks import ShownItem
from studies.design.design import StudyDesign


def describe_answer(kind: str, value: float | None, *, shown: ShownItem, design: StudyDesign) -> str:
    """Return what was answered; empty where there is no value, as of a written caption."""
    if value is None:
        return ""
    return KINDS[kind].describe_value(value, shown=shown, design=design)


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
