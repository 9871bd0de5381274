"""Tests of the study link and the pages before the first task."""

from datetime import timedelta

import pytest

from studies.collection.lifecycle import close_study
from studies.models import Assignment, Consent, Judgment, Rater, StudyVersion
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def test_looking_at_the_link_stores_nothing() -> None:
    stranger = Person(make_open_study())

    response = stranger.get("join")

    assert response.status_code == 200
    assert (Rater.objects.count(), response.cookies.get("sessionid")) == (0, None)


def test_agreeing_makes_a_rater_known_by_a_cookie_of_this_study() -> None:
    study = make_open_study()
    person = Person(study)

    response = person.post("join", {"agrees": "on"})

    rater = Rater.objects.get()
    cookie = response.cookies[f"rater-{study.pk}"]
    assert response.url == person.address("instructions")
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (person.address("join"), True, "Lax")
    assert list(Consent.objects.values_list("rater", "version__number")) == [(rater.pk, 2)]


def test_without_agreement_nobody_joins() -> None:
    person = Person(make_open_study())

    response = person.post_refused("join")

    assert "Tick the box if you agree to take part" in response.content.decode()
    assert Rater.objects.count() == 0


def test_second_visit_resumes() -> None:
    person = Person(make_open_study()).join()
    before = person.get("join").url
    person.get("task")

    assert (before, person.get("join").url) == (person.address("instructions"), person.address("task"))
    assert Rater.objects.count() == 1


@pytest.mark.parametrize("page", ["instructions", "task", "pause", "thanks"])
def test_stranger_is_sent_to_the_link(page: str) -> None:
    stranger = Person(make_open_study())

    response = stranger.get(page)

    assert (response.status_code, response.url) == (302, stranger.address("join"))
    assert Assignment.objects.count() == 0


@pytest.mark.parametrize("make_value", [lambda value: value[:-1], lambda _: "RATER:abc:def", lambda _: ""])
def test_forged_cookie_is_a_stranger(make_value) -> None:
    person = Person(make_open_study()).join()
    name = f"rater-{person.study.pk}"
    person.client.cookies[name] = make_value(person.client.cookies[name].value)

    assert person.get("task").url == person.address("join")


def test_cookie_of_one_study_is_worth_nothing_in_another() -> None:
    person = Person(make_open_study("one")).join()
    value = person.client.cookies[f"rater-{person.study.pk}"].value
    other = Person(make_open_study("two"))
    other.client.cookies[f"rater-{other.study.pk}"] = value

    assert other.get("task").url == other.address("join")


def test_changed_terms_are_asked_for_again_and_the_rater_stays_the_same() -> None:
    person = Person(make_open_study()).join()
    design = {**person.study.versions.latest("number").design, "consent": "New terms."}
    StudyVersion.objects.create(study=person.study, number=3, design=design, created_at=NOW)

    assert person.get("task").url == person.address("join")
    page = person.get("join").content.decode()
    assert "The terms of this study have changed" in page
    assert "New terms." in page

    person.post("join", {"agrees": "on"})
    assert person.get("task").status_code == 200
    assert Rater.objects.count() == 1


def test_answer_under_terms_that_changed_meanwhile_is_said_to_be_lost() -> None:
    study = make_open_study()
    rater = Person(study).join()
    assignment = rater.take_task()
    newest = study.versions.latest("number")
    study.versions.create(number=3, design={**newest.design, "consent": "New terms."}, created_at=NOW)

    response = rater.answer(assignment, "1")

    assert (response.url, Judgment.objects.count()) == (rater.address("join"), 0)
    assert "Your last answer was not saved" in rater.get("join").content.decode()
    rater.post("join", {"agrees": "on"})
    rater.answer(assignment, "1")
    assert Judgment.objects.count() == 1


def test_without_token_against_forgery_nobody_joins() -> None:
    person = Person(make_open_study(), checks_csrf=True)

    assert person.post("join", {"agrees": "on"}).status_code == 403
    assert Rater.objects.count() == 0


@pytest.mark.parametrize("path", ["/r/", "/r/{token}/nowhere/", "/r/{token}/task/one/", "/r/{token}/task/1/2/3/"])
def test_wrong_addresses_have_a_page_of_raters(path) -> None:
    response = Person(make_open_study()).client.get(path.format(token="abc"), HTTP_ACCEPT_LANGUAGE="de")

    page = response.content.decode()
    assert (response.status_code, '<html lang="de"' in page, "annotation_ui/annotation.css" in page) == (
        404,
        True,
        True,
    )


def test_address_without_its_last_slash_leads_on() -> None:
    person = Person(make_open_study())

    assert person.client.get(person.address("join").rstrip("/")).url == person.address("join")


def test_draft_and_unknown_links_have_pages_of_their_own() -> None:
    draft = Person(make_designed_study())

    assert "This study has not started yet" in draft.get("join").content.decode()
    assert "This study has not started yet" in draft.get("task").content.decode()
    unknown = draft.client.get("/r/nothing/")
    assert (unknown.status_code, "There is no study at this address" in unknown.content.decode()) == (404, True)


def test_texts_are_markdown_and_hold_no_html() -> None:
    hostile = "Read **this** and [that](https://example.org).\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))"
    expected = (
        '<p>Read <strong>this</strong> and <a href="https://example.org" rel="nofollow noopener noreferrer" '
        'target="_blank">that</a>.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>[x](javascript:alert(1))</p>'
    )
    texts = dict.fromkeys(("information", "consent", "instructions", "thanks", "debriefing"), hostile)
    study = make_open_study(n_tasks=1, **texts)
    person = Person(study)
    counts = [person.get("join").content.decode().count(expected)]

    person.join()
    counts += [person.get(page).content.decode().count(expected) for page in ("instructions", "task")]
    person.answer(Assignment.objects.get(), "3")
    counts += [person.get("task").status_code, person.get("thanks").content.decode().count(expected)]
    close_study(study, now=NOW)
    counts += [person.get("task").content.decode().count(expected)]

    # Information and consent; instructions; these beside a task; thanks and debriefing; thanks of a closed study.
    assert counts == [2, 1, 1, 302, 2, 1]


def test_instructions_say_how_long_this_rater_has() -> None:
    person = Person(make_open_study(n_tasks=3, lease_minutes=45)).join()
    before = person.get("instructions").content.decode()
    assignment = person.take_task()
    person.answer(assignment, "2")
    after = person.get("instructions").content.decode()

    assert "You have 15 minutes for your first task and 45 minutes for each one after it." in before
    assert assignment.expires_at - assignment.leased_at == timedelta(minutes=15)
    assert "You have 45 minutes for each task." in after
