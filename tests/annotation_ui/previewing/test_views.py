"""Tests of the preview: all pages of each kind are shown, and no table gets a row."""

import re
from html import unescape

import pytest
from django.urls import reverse

from studies.collection.shown_tasks import name_image
from studies.enums import StudyState, TaskKind, TaskRole
from studies.models import Item, Study, Task
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import make_member, make_user
from tests.row_counts import count_rows

pytestmark = pytest.mark.django_db
NOTE = "This is a preview of the rater pages. Nothing you do here is stored."
ANSWERS = {
    TaskKind.RATING: "3", TaskKind.PAIRWISE: "first", TaskKind.SET_RATING: "0.5", TaskKind.TURING: "person",
    TaskKind.CAPTION: "A brown dog jumps over a fallen log in the forest.",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def owner():
    return make_user("owner")


@pytest.fixture
def researcher(client, owner):
    client.force_login(owner)
    return client


def _own(study, owner):
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    return study


def _address(study, page, *more):
    return reverse(f"preview:{page}", args=[study.join_token, *more])


def _answer(page, choice=""):
    """Return the form of a task page, with this choice or the first one taken wherever there is one."""
    answers = {}
    for name, value in re.findall(r'<input type="radio" name="([^"]+)" value="([^"]*)"', page):
        # Of best and worst the same caption cannot be both.
        answers.setdefault(name, value) if value not in answers.values() or "item-" in name else None
        answers |= {name: choice} if value == choice else {}
    for name in re.findall(r'<input type="number" name="([^"]+)"', page):
        answers[name] = "0.5"
    for name in re.findall(r'<textarea name="([^"]+)"', page):
        answers[name] = ANSWERS[TaskKind.CAPTION]
    return answers


@pytest.mark.parametrize("kind", list(TaskKind))
def test_whole_way_is_shown_and_stores_nothing(researcher, owner, kind) -> None:
    study = _own(make_designed_study(kind=kind, information="About it."), owner)
    before = count_rows()
    link = researcher.get(_address(study, "join"))
    agreed = researcher.post(_address(study, "join"), {"agrees": "on"})
    instructions = researcher.get(agreed.url)
    task = researcher.get(_address(study, "task"))
    (submit,) = re.findall(r'action="(/as-rater/[^"]*/task/\d+/)"', task.content.decode())
    missing = researcher.post(submit, {})

    sent = researcher.post(submit, _answer(task.content.decode()))
    thanks = researcher.get(sent.url, follow=True)

    pages = [link, instructions, task, missing, thanks]
    assert [page.status_code for page in pages] == [200, 200, 200, 422, 200]
    assert [NOTE in page.content.decode() for page in pages] == [True] * 5
    assert study.title in link.content.decode()
    assert "You have finished one task" in thanks.content.decode()
    assert count_rows() == before
    # No page leads to one of raters.
    assert not any(f"/r/{study.join_token}" in page.content.decode() for page in pages)


def test_consent_is_asked_for_as_of_raters(researcher, owner) -> None:
    study = _own(make_designed_study(), owner)

    response = researcher.post(_address(study, "join"), {})

    assert response.status_code == 422
    assert "Tick the box if you agree to take part" in response.content.decode()


def test_training_tells_how_it_went(researcher, owner) -> None:
    study = _own(make_designed_study(n_tasks=3), owner)
    Task.objects.filter(study=study, position=0).update(role=TaskRole.TRAINING)
    Item.objects.filter(task__study=study, task__position=0).update(expected=[4], feedback="There is a log, too.")
    task = Task.objects.get(study=study, position=0)
    before = count_rows()

    shown = researcher.get(_address(study, "task")).content.decode()
    told = researcher.post(_address(study, "submit", task.pk), _answer(shown, "2")).content.decode()
    following = researcher.get(_address(study, "task")).content.decode()
    started_anew = researcher.get(_address(study, "join")) and researcher.get(_address(study, "task")).content.decode()

    assert "Training 1 of 2" in shown
    assert "Not quite" in told
    assert "There is a log, too." in told
    assert "Describes it without any mistake" in told
    assert "Task 2 of 2" in following
    assert "Training 1 of 2" in started_anew
    assert count_rows() == before


def test_preview_of_an_open_study_makes_no_rater_and_takes_no_slot(researcher, owner) -> None:
    study = _own(make_open_study(), owner)
    before = count_rows()

    researcher.post(_address(study, "join"), {"agrees": "on"})
    researcher.get(_address(study, "task"))

    assert count_rows() == before
    assert Study.objects.get().state == StudyState.OPEN


def test_pictures_of_the_study_are_shown_and_of_others_not(researcher, owner) -> None:
    study, other = _own(make_designed_study(), owner), make_designed_study("other")
    own, foreign = (
        name_image(Item.objects.filter(task__study=one).first().image_id, seed=study.seed, rater=None)
        for one in (study, other)
    )

    response = researcher.get(_address(study, "image", own))

    assert b"".join(response.streaming_content).startswith(b"\x89PNG")
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert researcher.get(_address(study, "image", foreign)).status_code == 404


def test_stop_leave_and_decline_are_shown_or_end_it(researcher, owner) -> None:
    study = _own(make_designed_study(), owner)
    pk = study.tasks.first().pk

    assert "You have stopped for now" in researcher.post(_address(study, "return", pk)).content.decode()
    assert "You are not taking part" in researcher.post(_address(study, "decline")).content.decode()
    left = researcher.get(_address(study, "leave"), follow=True)
    assert (left.redirect_chain[0][0], "The preview ends here" in left.content.decode()) == (
        "/studies/study/design/",
        True,
    )


def test_task_of_another_study_is_no_part_of_it(researcher, owner) -> None:
    study = _own(make_designed_study(), owner)

    assert (
        researcher.post(_address(study, "submit", make_designed_study("other").tasks.first().pk), {}).status_code == 404
    )


def test_study_without_tasks_has_a_preview(researcher, owner) -> None:
    study = _own(make_designed_study(n_tasks=0), owner)

    statuses = [
        researcher.get(_address(study, page), follow=True).status_code for page in ("join", "instructions", "task")
    ]

    assert statuses == [200, 200, 200]


def test_pages_come_in_the_language_that_is_asked_for(researcher, owner) -> None:
    study = _own(make_designed_study(), owner)

    response = researcher.get(_address(study, "instructions") + "?language=de")

    assert response["Content-Language"] == "de"
    assert "Anleitung" in unescape(response.content.decode())


def test_viewer_may_look_and_a_stranger_finds_nothing(client, owner) -> None:
    study = _own(make_designed_study(), owner)
    viewer, stranger = make_user("viewer"), make_user("stranger")
    make_member(study, viewer)
    answers = []
    for person in (viewer, stranger):
        client.force_login(person)
        answers.append(client.get(_address(study, "join")).status_code)

    assert answers == [200, 404]
    assert client.get("/as-rater/a%00b/").status_code == 400


def test_instructions_are_those_of_a_newcomer(researcher, owner) -> None:
    study = _own(make_designed_study(lease_minutes=45), owner)

    page = researcher.get(_address(study, "instructions")).content.decode()

    assert "You have 15 minutes for your first task and 45 minutes for each one after it." in page
