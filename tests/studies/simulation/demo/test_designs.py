"""Tests of the instructions for raters of the demo."""

import pytest

from studies.simulation.demo.designs import STUDIES, DemoStudy


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_texts_use_the_words_of_the_pages(study: DemoStudy) -> None:
    labels = [point.label for point in study.design.scale]
    text = " ".join([study.design.instructions, study.design.question, *labels]).lower()

    assert [word for word in ("picture", "photo", "group") if word in text] == []


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_thanks_do_not_repeat_the_heading_of_their_page(study: DemoStudy) -> None:
    assert "thank you" not in study.design.thanks.lower()
