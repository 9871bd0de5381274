"""Descriptions of judgments for the feedback of training, in the words of the rater's page."""

from collections.abc import Sequence

from django.utils.translation import gettext

from annotation_ui.kinds import KINDS
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import StudyDesign


def describe_answer(kind: str, value: float | None, *, shown: ShownItem, design: StudyDesign) -> str:
    """Return the answer in words; empty if there is no value, as for a written caption."""
    if value is None:
        return ""
    return KINDS[kind].describe_value(value, shown=shown, design=design)


def describe_expected(
    kind: str, expected: Sequence[float | Sequence[float]], *, shown: ShownItem, design: StudyDesign
) -> str:
    """Return the correct answers in words: values or ranges of values, joined by "or"."""
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
