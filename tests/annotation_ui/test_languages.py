"""Tests of languages: every text of raters' pages is translated, and raters get the requested language."""

import gettext
import re
import struct
from http.cookies import Morsel

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as translate
from django.utils.translation import ngettext, to_locale

from studies.collection.assignment import Answer, StudyClosed, submit_answers
from studies.collection.lifecycle import close_study
from studies.design.study_design import Panel
from studies.enums import PanelKind, TaskKind
from studies.models import Rater
from tests.annotation_ui.people import Person
from tests.annotation_ui.texts import (
    CATALOGUES,
    MODULES,
    PAGES,
    find_bare_refusals,
    find_bare_words,
    find_texts,
    list_placeholders,
    read_catalogue,
)
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

OTHERS = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
GREETINGS = {"en": "What you agree to", "de": "Einwilligung", "es": "Lo que usted acepta", "zh-hans": "您同意的内容"}


def _read(code):
    return read_catalogue(CATALOGUES / to_locale(code) / "LC_MESSAGES/django.po")


def _ask(person, page="join", *, accepts="", **query):
    headers = {"accept-language": accepts} if accepts else {}
    return person.client.get(person.address(page), query, headers=headers)


@pytest.mark.parametrize("code", OTHERS)
def test_catalogue_has_every_text_and_no_other(code: str) -> None:
    catalogue = {entry.forms for entry in _read(code)}
    texts = {text.forms: text.where for text in find_texts()}

    assert {forms: where for forms, where in texts.items() if forms not in catalogue} == {}
    assert catalogue - set(texts) == set()


@pytest.mark.parametrize("code", OTHERS)
def test_every_entry_is_translated_with_its_placeholders(code: str) -> None:
    n_forms = {"zh-hans": 1}.get(code, 2)
    for entry in _read(code):
        assert "fuzzy" not in entry.flags, entry.forms
        assert all(entry.translations), entry.forms
        assert len(entry.translations) == (n_forms if len(entry.forms) == 2 else 1), entry.forms
        # One may be said in a word; every other number is filled in.
        assert list_placeholders(entry.translations[-1]) == list_placeholders(entry.forms[-1]), entry.forms
        wanted = [list_placeholders(form) for form in entry.forms]
        assert all(list_placeholders(translation) in wanted for translation in entry.translations), entry.forms


@pytest.mark.parametrize("code", OTHERS)
def test_compiled_catalogue_is_that_of_its_source(code: str) -> None:
    path = CATALOGUES / to_locale(code) / "LC_MESSAGES/django.mo"
    with path.open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    entries = _read(code)

    for entry in entries:
        if len(entry.forms) == 1:
            assert compiled.gettext(entry.forms[0]) == entry.translations[0]
        else:
            assert compiled.ngettext(*entry.forms, 1) == entry.translations[0]
            assert compiled.ngettext(*entry.forms, 2) == entry.translations[-1]
    # The head counts as one; see "The Format of GNU MO Files" in the manual of gettext.
    assert struct.unpack_from("<I", path.read_bytes(), 8) == (len(entries) + 1,)


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.html")), ids=lambda path: path.stem)
def test_page_says_nothing_that_is_not_marked(path) -> None:
    assert find_bare_words(path) == []


def test_refusals_say_nothing_that_is_not_marked() -> None:
    assert [found for path in MODULES for found in find_bare_refusals(path)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_instructions_use_the_labels_of_buttons(code: str) -> None:
    tells = {"Stop for now": "If you need a break", "No preference": "You see two captions; choose"}
    texts = {entry.forms[0]: entry.translations[0] for entry in _read(code)}
    for button, start in tells.items():
        told = next(translated for text, translated in texts.items() if text.startswith(start))
        assert texts[button] in told


@pytest.mark.parametrize(
    ("code", "number", "words"),
    [
        ("en", 1, "One answer is missing"),
        ("de", 1, "Eine Antwort fehlt"),
        ("de", 0, "0 Antworten fehlen"),
        ("de", 3, "3 Antworten fehlen"),
        ("es", 1, "Falta una respuesta"),
        ("es", 3, "Faltan 3 respuestas"),
        ("zh-hans", 1, "还缺 1 个答案"),
        ("zh-hans", 3, "还缺 3 个答案"),
    ],
)
def test_numbers_choose_the_plural(code: str, number: int, words: str) -> None:
    with translation.override(code):
        said = ngettext("One answer is missing", "%(n)s answers are missing", number) % {"n": number}

    assert said == words


def test_texts_go_before_those_that_django_has_in_the_same_words() -> None:
    with translation.override("de"):
        assert (translate("Continue"), translate("Language")) == ("Weiter", "Sprache")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepts", "code"),
    [
        ("", "en"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("pl,es-MX;q=0.7,en;q=0.3", "es"),
        ("zh-CN,zh;q=0.9", "zh-hans"),
        ("pl,cs;q=0.5", "en"),
        ("*", "en"),
        ("garbage;;q=x," + "x" * 600, "en"),
    ],
)
def test_browser_asks_for_a_language(accepts: str, code: str) -> None:
    page = _ask(Person(make_open_study()), accepts=accepts)

    assert f'<html lang="{code}" dir="ltr">' in page.content.decode()
    assert GREETINGS[code] in page.content.decode()
    assert page["Content-Language"] == code


@pytest.mark.django_db
def test_choice_goes_before_the_browser_and_is_remembered_for_this_study() -> None:
    person = Person(make_open_study())
    chosen = _ask(person, accepts="es", language="de")
    later = _ask(person, accepts="es")

    cookie: Morsel = chosen.cookies["language"]
    assert (cookie.value, cookie["path"], cookie["samesite"]) == ("de", person.address("join"), "Lax")
    assert cookie["httponly"]
    assert [page["Content-Language"] for page in (chosen, later)] == ["de", "de"]
    assert "language" not in later.cookies


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["pl", "", "../../etc", "x" * 900, "de\0"])
def test_a_language_that_there_is_not_is_not_remembered(asked: str) -> None:
    page = _ask(Person(make_open_study()), accepts="es", language=asked)

    assert (page["Content-Language"], "language" in page.cookies) == ("es", False)


@pytest.mark.django_db
def test_languages_are_links_that_keep_the_rest_of_the_address() -> None:
    person = Person(make_open_study())
    page = _ask(person, PROLIFIC_PID="5f", language="es").content.decode()

    assert '<a href="?PROLIFIC_PID=5f&amp;language=zh-hans" lang="zh-hans"' in page
    assert page.count('aria-current="true"') == 1
    assert all(f">{name}</a>" in page for name in ("English", "Deutsch", "Español", "简体中文"))


@pytest.mark.django_db
def test_choice_in_a_panels_frame_goes_along_to_the_window_of_the_study() -> None:
    person = Person(make_open_study(panel=Panel(kind=PanelKind.AMT)))
    query = {"assignmentId": "A1", "hitId": "H1", "workerId": "W1", "turkSubmitTo": "https://www.mturk.com"}

    page = _ask(person, **query, language="es").content.decode()

    assert re.search(r'href="[^"]*assignmentId=A1[^"]*language=es&amp;window=1" target="_blank"', page)


@pytest.mark.django_db
def test_no_links_where_another_page_would_lose_something() -> None:
    person = Person(make_open_study()).join()
    shown = person.get("task")
    refused = person.post_refused("submit", pk=person.take_task().pk)
    receipt = person.post("withdraw", {"answers": "keep"})

    assert [page.status_code for page in (shown, refused, receipt)] == [200, 200, 200]
    assert ["language=" in page.content.decode() for page in (shown, refused, receipt)] == [True, True, False]


@pytest.mark.django_db
def test_language_of_the_last_page_is_kept_with_the_rater() -> None:
    person = Person(make_open_study()).join()
    kept = [Rater.objects.get().language]
    _ask(person, "task", language="zh-hans")
    kept.append(Rater.objects.get().language)
    _ask(person, "task", accepts="es")
    kept.append(Rater.objects.get().language)

    assert kept == ["en", "zh-hans", "zh-hans"]


@pytest.mark.django_db
def test_page_runs_from_right_to_left_in_such_a_language(settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("he", "Hebrew")]

    page = _ask(Person(make_open_study()), accepts="he").content.decode()

    assert '<html lang="he" dir="rtl">' in page
    assert 'lang="en" hreflang="en" dir="ltr"' in page


@pytest.mark.django_db
def test_refusal_of_the_engine_is_told_in_the_raters_language() -> None:
    study = make_open_study()
    assignment = Person(study).join().take_task()
    close_study(study, now=NOW)

    with translation.override("de"), pytest.raises(StudyClosed, match="Die Studie wurde geschlossen"):
        submit_answers(assignment, answers=_answer(assignment), now=NOW)


@pytest.mark.django_db
def test_message_of_a_refused_form_is_told_in_the_raters_language() -> None:
    study = make_open_study()
    person = Person(study).join()
    _ask(person, language="de")

    form = person.post_refused("withdraw")

    assert "Wählen Sie, was mit Ihren Antworten geschehen soll." in form.content.decode()


@pytest.mark.django_db
def test_numbers_are_written_as_the_language_does_and_sent_as_ever() -> None:
    person = Person(make_open_study(kind=TaskKind.SET_RATING, n_tasks=1)).join()

    page = _ask(person, "task", language="de").content.decode()

    assert "<span>0,3</span>" in page
    assert 'value="0.3"' in page
    assert 'value="0,3"' not in page


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["studies:list", "account_login", "admin:login"])
def test_pages_of_researchers_stay_as_they_are(client, name: str) -> None:
    german = {"accept-language": "de"}
    client.cookies["language"] = "de"

    page = client.get(reverse(name), headers=german, follow=True).content.decode()

    assert '<html lang="en' in page
    assert translation.get_language() == "en"


def _answer(assignment):
    return tuple(Answer(item=entry["item"], value=1.0) for entry in assignment.shown)
