"""Tests of tasks over HTTP: shown, submitted and rejected, for raters, other raters and strangers."""

import logging
import re
from datetime import timedelta
from itertools import pairwise

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from studies.collection.lifecycle import close_study, open_study
from studies.collection.triggers.immutability import drop_triggers, install_triggers
from studies.enums import TaskKind
from studies.models import Assignment, Candidate, Image, Item, Judgment, Rater, System
from tests.annotation_ui.people import Person, fill_items, name_items
from tests.factories.open_studies import SETS, draw_picture, make_designed_study, make_open_study

pytestmark = pytest.mark.django_db


def test_rater_submits_and_goes_on() -> None:
    rater = Person(make_open_study()).join()
    assignment = rater.take_task()

    response = rater.answer(assignment, "4")

    assert (response.status_code, response.url) == (302, rater.address("task"))
    assert list(Judgment.objects.values_list("value", "rater", "assignment")) == [(4, rater.rater.pk, assignment.pk)]
    assert "Task 2 of 2" in rater.get("task").content.decode()


def test_replayed_form_changes_nothing() -> None:
    rater = Person(make_open_study()).join()
    assignment = rater.take_task()
    rater.answer(assignment, "4")

    responses = [rater.answer(assignment, "1"), rater.answer(assignment, "")]

    assert [response.url for response in responses] == [rater.address("task")] * 2
    assert list(Judgment.objects.values_list("value", flat=True)) == [4]


def test_picture_is_shown_once_for_several_captions_of_an_image() -> None:
    rater = Person(make_open_study(n_tasks=1, n_items=3)).join()

    page = rater.get("task").content.decode()

    assert (page.count("<img"), page.count("<fieldset"), page.count("<blockquote")) == (1, 3, 3)
    assert "For each caption that you see, choose the point of the scale that fits it best" in page


def test_picture_is_shown_anew_where_the_image_changes() -> None:
    study = make_designed_study(n_tasks=1, n_items=3)
    other = Image.objects.create(dataset=study.dataset, key="other", file="images/other.png")
    Item.objects.filter(key="item-0-1").update(image=other)
    open_study(study, now=timezone.now())
    rater = Person(study).join()
    order = [entry["item"] for entry in rater.take_task().shown]
    images = [Item.objects.get(pk=item).image_id for item in order]

    page = rater.get("task").content.decode()

    assert page.count("<img") == 1 + sum(image != before for before, image in pairwise(images))


def test_missing_answer_is_asked_for_and_the_others_are_kept() -> None:
    rater = Person(make_open_study(kind=TaskKind.SET_RATING)).join()
    assignment = rater.take_task()
    first, second, third = name_items(assignment).values()

    fields = {f"item-{second}": "0.4", f"elapsed-{second}": "900"}
    page = rater.post_refused("submit", fields, pk=assignment.pk).content.decode()

    assert [f'href="#id_item-{item}_0"' in page for item in (first, second, third)] == [True, False, True]
    assert f'name="item-{second}" value="0.4" id="id_item-{second}_4" checked' in " ".join(page.split())
    assert f'name="elapsed-{second}" value="900"' in page
    assert Judgment.objects.count() == 0


def test_other_rater_cannot_submit_or_return_what_is_not_theirs(caplog) -> None:
    study = make_open_study(raters_per_task=2)
    rater, other = Person(study).join(), Person(study).join()
    assignment = rater.take_task()

    with caplog.at_level(logging.WARNING, logger="annotation_ui"):
        responses = [other.answer(assignment, "4"), other.post("return", pk=assignment.pk)]

    assert [response.status_code for response in responses] == [404, 404]
    assert "This is not one of your tasks" in responses[0].content.decode()
    assert [record.getMessage() for record in caplog.records if record.name == "annotation_ui.views.tasks"] == [
        f"rater {other.rater.pseudonym} asked for assignment {assignment.pk}, which is not theirs"
    ] * 2
    assert list(Assignment.objects.values_list("rater", "state")) == [(rater.rater.pk, "leased")]


def test_stranger_cannot_submit() -> None:
    study = make_open_study()
    assignment = Person(study).join().take_task()

    response = Person(study).answer(assignment, "4")

    assert "task" not in response.url
    assert Judgment.objects.count() == 0


def test_without_token_against_forgery_nothing_is_stored() -> None:
    rater = Person(make_open_study()).join()
    assignment = rater.take_task()
    rater.client.handler.enforce_csrf_checks = True

    assert rater.answer(assignment, "4").status_code == 403
    assert Judgment.objects.count() == 0


def test_huge_answer_is_refused() -> None:
    rater = Person(make_open_study()).join()
    assignment = rater.take_task()

    assert rater.answer(assignment, "4", padding="x" * 10_000_000).status_code == 413
    assert Judgment.objects.count() == 0


def test_answer_too_late_is_refused_kindly_and_work_goes_on() -> None:
    study = make_open_study(n_tasks=1)
    rater, other = Person(study).join(), Person(study).join()
    assignment = rater.take_task()
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    other.take_task()

    response = rater.answer(assignment, "4")

    page = rater.client.get(response.url, follow=True).content.decode()
    assert "been given to somebody else" in page
    assert "There is no task left for you at the moment" in page
    assert Judgment.objects.count() == 0


def test_answer_after_closing_is_refused_and_said() -> None:
    rater = Person(make_open_study()).join()
    assignment = rater.take_task()
    close_study(rater.study, now=timezone.now())

    page = rater.answer(assignment, "4").content.decode()

    assert "This study has ended" in page
    assert "so it was not saved" in page
    assert Judgment.objects.count() == 0


def test_thanks_come_at_the_end_and_not_before() -> None:
    rater = Person(make_open_study(n_tasks=1)).join()
    before = rater.get("thanks")
    rater.answer(rater.take_task(), "2")

    page = rater.client.get(rater.address("task"), follow=True).content.decode()

    assert before.url == rater.address("task")
    assert "You have finished one task, and all your answers are saved." in page
    assert "Your answers help to find out which captions people prefer." in page


def test_stopping_gives_the_task_to_others() -> None:
    study = make_open_study(n_tasks=1)
    rater, other = Person(study).join(), Person(study).join()
    assignment = rater.take_task()

    response = rater.post("return", pk=assignment.pk)

    assert response.url == rater.address("pause")
    assert other.take_task().task == assignment.task


@pytest.mark.parametrize("kind", TaskKind)
def test_page_tells_nothing_of_systems_keys_and_other_raters(kind) -> None:
    study = make_open_study(kind=kind, n_tasks=1, raters_per_task=2)
    other = Person(study).join()
    other.take_task()
    rater = Person(study).join()
    System.objects.filter(name__endswith="human").update(is_human=True)

    page = rater.get("task").content.decode()

    systems = System.objects.filter(caption_sets__isnull=False).distinct()
    fields = ((systems, "name"), (Candidate.objects, "key"), (Rater.objects, "pseudonym"))
    secrets = [secret for rows, field in fields for secret in rows.values_list(field, flat=True)]
    assert len(secrets) == 3 + sum(map(len, SETS.values())) + 2
    assert [secret for secret in secrets if secret in page] == []
    assert "human" not in page


@pytest.mark.parametrize("n_tasks", [1, 3])
def test_task_page_takes_as_many_queries_however_many_tasks(n_tasks, django_assert_num_queries) -> None:
    rater = Person(make_open_study(kind=TaskKind.SET_RATING, n_tasks=n_tasks)).join()
    rater.get("task")

    # Study, version, rater and consent at once; the lease; what was done, for the stage. Items are kept.
    with django_assert_num_queries(3):
        rater.get("task")


@pytest.mark.parametrize("n_tasks", [2, 4])
def test_judgment_and_the_next_page_take_fourteen_queries(n_tasks, django_assert_num_queries) -> None:
    rater = Person(make_open_study(kind=TaskKind.PAIRWISE, n_tasks=n_tasks)).join()
    assignment = rater.take_task()
    fields = fill_items(assignment, "first")

    # The visit, the assignment; locks, the assignment, the judgment; what was done, the slot, its items, the next
    # assignment; two marks of the transaction.
    with django_assert_num_queries(11):
        response = rater.post("submit", fields, pk=assignment.pk)
    # The visit, the lease, what was done.
    with django_assert_num_queries(3):
        page = rater.client.get(response.url)

    assert "Task 2 of" in page.content.decode()


def test_items_are_read_once_for_all_raters_of_a_started_study() -> None:
    study = make_open_study(kind=TaskKind.PAIRWISE, n_tasks=1, raters_per_task=2)
    pages, counts = [], []
    for rater in (Person(study).join(), Person(study).join()):
        with CaptureQueriesContext(connection) as queries:
            pages.append(rater.get("task").content.decode())
        counts.append(sum('FROM "studies_item" ' in query["sql"] and "position" in query["sql"] for query in queries))

    assert counts == [1, 0]
    shown = [[text for text in Candidate.objects.values_list("text", flat=True) if text in page] for page in pages]
    assert shown[0] == shown[1] != []


def test_image_that_is_added_later_is_shown() -> None:
    study = make_open_study(kind=TaskKind.RATING, n_tasks=1, has_files=False)
    rater = Person(study).join()
    assert "<img" not in rater.get("task").content.decode()

    image = study.dataset.images.get()
    image.file.save("late.png", ContentFile(draw_picture()))

    assert "<img" in rater.get("task").content.decode()


def test_captions_are_text_and_never_markup() -> None:
    study = make_open_study(n_tasks=1)
    rater = Person(study).join()
    drop_triggers("default")
    Candidate.objects.update(text='<script>alert(1)</script> & "quotes"')
    install_triggers("default")

    page = rater.get("task").content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;" in page


def test_pages_are_not_cached_and_allow_no_inline_script() -> None:
    rater = Person(make_open_study()).join()

    response = rater.get("task")

    assert response["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert "style=" not in response.content.decode()


def test_last_answer_is_shown_as_it_was_given() -> None:
    rater = Person(make_open_study(kind=TaskKind.SET_RATING)).join()
    assignment = rater.take_task()
    scores = dict(zip(name_items(assignment).values(), ("0.2", "0.9", "1"), strict=True))
    rater.post("submit", {f"item-{item}": score for item, score in scores.items()}, pk=assignment.pk)

    page = " ".join(rater.get("last").content.decode().split())

    found = re.findall(r'name="item-(\w+)" value="([\d.]+)" id="[^"]*" checked', page)
    assert dict(found) == scores


def test_page_says_its_language_and_direction() -> None:
    page = Person(make_open_study()).join().get("task").content.decode()

    assert '<html lang="en" dir="ltr">' in page
