"""Texts of designs that come with Accordance, in the rater's language; a researcher's own texts stay as written.

A text is translated if all its paragraphs are those of a preset or of the demo. Stored answers keep the original
labels.
"""

from functools import cache
from typing import Final

from django.utils.translation import gettext

from studies.design.presets import PRESETS
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.simulation.demo.designs import STUDIES

_TEXTS: Final = ("information", "consent", "question", "instructions", "debriefing", "thanks")


def translate_stock(text: str) -> str:
    """Return the text in the language of the page if it comes with Accordance, otherwise unchanged."""
    paragraphs = _split(text)
    if not paragraphs or not _list_stock().issuperset(paragraphs):
        return text
    return "\n\n".join(map(gettext, paragraphs))


def translate_design(design: StudyDesign, name: str) -> str:
    """Return a text of the design in the language of the page if it comes with Accordance.

    Texts that ask for a caption stay as they are if the design names no language to write in, because raters write in
    the language of the question.
    """
    text: str = getattr(design, name)
    if not design.language and name in ("question", "instructions") and set(_split(text)) & _list_requests():
        return text
    return translate_stock(text)


@cache
def _list_stock() -> frozenset[str]:
    """Return the paragraphs and labels of all designs that come with Accordance."""
    designs = [*(preset.design for preset in PRESETS.values()), *(study.design for study in STUDIES)]
    texts = {paragraph for design in designs for name in _TEXTS for paragraph in _split(getattr(design, name))}
    labels = {point.label for design in designs for point in design.scale}
    ends = {label for design in designs if (slider := design.slider) for label in (slider.low_label, slider.high_label)}
    return frozenset(texts | labels | ends)


@cache
def _list_requests() -> frozenset[str]:
    """Return the paragraphs that ask for a caption."""
    designs = [preset.design for preset in PRESETS.values() if preset.kind == TaskKind.CAPTION]
    return frozenset(
        paragraph for one in designs for text in (one.question, one.instructions) for paragraph in _split(text)
    )


def _split(text: str) -> list[str]:
    return [paragraph for paragraph in text.replace("\r\n", "\n").split("\n\n") if paragraph]
