"""Tests that texts that come with Accordance are shown in the rater's language, and a researcher's own as written."""

import pytest
from django.utils import translation

from annotation_ui.stock_texts import translate_design, translate_stock
from studies.design.presets import PRESETS
from studies.design.study_design import Pay, StudyDesign
from studies.enums import TaskKind
from studies.models import Judgment
from studies.simulation.demo.designs import CONSENT
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study

LANGUAGES = ("de", "es", "zh-hans")
OWN = "Look at the image first, then read the caption to its end.\n\nWe pay extra for care."


def _read(person: Person, page: str, *, language: str) -> str:
    return person.client.get(person.address(page), {"language": language}).content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_text_of_a_preset_is_translated(name: str, language: str) -> None:
    design = PRESETS[name].design
    texts = [design.question, design.instructions, *(point.label for point in design.scale)]
    with translation.override(language):
        # The Spanish for "No" is "No".
        assert [text for text in texts if translate_stock(text) == text and text != "No"] == []
    assert [translate_stock(text) for text in texts] == texts


def test_texts_of_a_researcher_stay_as_written() -> None:
    with translation.override("de"):
        assert (translate_stock(OWN), translate_stock(""), translate_stock("Right")) == (OWN, "", "Right")


def test_what_asks_for_a_caption_is_translated_only_with_a_language_to_write_in() -> None:
    design = PRESETS["caption-coco"].design
    unsaid = StudyDesign(question=design.question)
    with translation.override("de"):
        assert translate_design(design, "question") == "Beschreiben Sie das Bild in einem Satz."
        assert translate_design(unsaid, "question") == design.question


@pytest.mark.django_db
def test_question_scale_and_consent_come_in_the_raters_language_and_answers_keep_their_labels() -> None:
    design = PRESETS["coco-m3"].design
    texts = {"question": design.question, "instructions": design.instructions, "scale": design.scale}
    person = Person(make_open_study(**texts, consent=CONSENT))
    joining = _read(person, "join", language="de")
    person.join()
    assignment = person.take_task()
    page = _read(person, "task", language="de")
    person.answer(assignment, "5.0")

    assert "Dies ist eine Vorführung von Accordance." in joining
    assert all(
        text in page for text in ("Wie richtig ist die Bildbeschreibung?", "Überwiegend richtig", "Sehen Sie sich")
    )
    assert Judgment.objects.get().answer == {"rating": 5.0, "label": "Correct"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "said"),
    [("zh-hans", "简体中文。"), ("", "请用问题所用的语言书写。"), ("ja", "日语。")],
)
def test_language_to_write_in_is_said(language: str, said: str) -> None:
    person = Person(make_open_study(kind=TaskKind.CAPTION, language=language)).join()
    page = _read(person, "task", language="zh-hans")

    assert said in page
    assert (f'lang="{language}" dir="auto"' in page) == bool(language)


@pytest.mark.django_db
def test_chinese_captions_are_written_and_short_ones_refused() -> None:
    person = Person(make_open_study(kind=TaskKind.CAPTION, n_tasks=1, language="zh-hans")).join()
    assignment = person.take_task()
    refused = person.answer(assignment, "一只狗在跳")
    asked = person.client.get(refused.url, {"language": "zh-hans"}).content.decode()
    person.answer(assignment, "一只棕色的狗在树林里跳过一根木头")

    assert "至少写八个词。" in asked
    assert Judgment.objects.get().answer["caption"] == "一只棕色的狗在树林里跳过一根木头"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("design", "said"),
    [
        ({"pay": Pay(reward=1.5), "task_seconds": 300}, ["about 10 minutes", "1.50 EUR.", "about 9.00 EUR an hour"]),
        ({"pay": Pay(reward=1.5, hourly_wage=12.0)}, ["1.50 EUR.", "at least 12.00 EUR an hour"]),
        (
            {"pay": Pay(reward=1.0), "task_seconds": 300, "tasks_per_session": 1},
            ["about 10 minutes", "1.00 EUR for each session", "A session takes about 5 minutes", "12.00 EUR an hour"],
        ),
        ({"pay": Pay(hourly_wage=12.0)}, ["at least 12.00 EUR an hour"]),
    ],
    ids=["reward", "wage", "sessions", "wage-only"],
)
def test_minutes_and_hourly_pay_are_said_before_consent(design: dict, said: list[str]) -> None:
    page = Person(make_open_study(**design)).get("join").content.decode()

    assert [text for text in said if text not in page] == []
    assert page.index(said[-1]) < page.index('name="agrees"')
