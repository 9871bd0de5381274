"""Tests that the quick template tags give the output of Django's own."""

from dataclasses import replace

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from annotation_ui.kinds import KINDS
from annotation_ui.templatetags.quick import guide, languages, radio_button
from studies.collection.shown_tasks import ShownItem
from studies.design.study_design import Panel, StudyDesign
from studies.enums import PanelKind, TaskKind
from tests.factories.open_studies import DESIGNS, TEXTS

QUOTED = 'A "dog" & <b>a cat</b>.'


@pytest.mark.parametrize("given", [None, {1: {"choice": "second"}}])
def test_button_is_that_of_django(given) -> None:
    shown = ShownItem(1, "name", None, "image", "", (QUOTED, "Another."), is_swapped=False)
    design = StudyDesign(**TEXTS, **DESIGNS[TaskKind.PAIRWISE])
    form = KINDS[TaskKind.PAIRWISE]([shown], design=design, given=given)
    (field,) = form

    buttons = [radio_button(radio) for radio in field]

    assert len(buttons) == 3
    assert buttons == [radio.tag() for radio in field]
    assert sum(" checked" in button for button in buttons) == (given is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_guide_is_that_of_the_template_for_each_language_and_design(kind) -> None:
    design = StudyDesign(**{**TEXTS, **DESIGNS[kind]})
    # Also of a design that cannot be hashed, and of one that differs in one field.
    codes = replace(design, panel=Panel(kind=PanelKind.PROLIFIC, codes={"finished": "C1"}))
    others = [codes, replace(design, instructions=QUOTED), replace(design, allows_no_preference=False)]

    for shown in (design, *others):
        for language in ("en", "de"):
            with translation.override(language):
                for template in (KINDS[kind].guide, KINDS[kind].keys_guide):
                    assert guide(template, shown) == render_to_string(template, {"design": shown})
                kept = [guide("annotation_ui/help.html", shown, KINDS[kind].guide) for _ in range(2)]
                context = {"design": shown, "guide": KINDS[kind].guide}
                assert kept == [render_to_string("annotation_ui/help.html", context)] * 2


def test_links_to_languages_keep_the_parameters_of_the_page() -> None:
    plain = RequestFactory().get("/r/token/task/")
    arrival = RequestFactory().get("/r/token/", {"PROLIFIC_PID": "p1"})

    with translation.override("en"):
        before, with_parameters = languages({"request": plain}), languages({"request": arrival})
    with translation.override("es"):
        in_spanish = languages({"request": plain})

    assert 'href="?language=de"' in before
    assert 'href="?PROLIFIC_PID=p1&amp;language=de"' in with_parameters
    with translation.override("es"):
        assert in_spanish == render_to_string("annotation_ui/languages.html", {"query": QueryDict()}) != before
