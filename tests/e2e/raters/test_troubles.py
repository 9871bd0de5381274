"""Tests of irregular events: missing answers, double clicks, two raters in one browser, pauses, the end of a study."""

from datetime import timedelta

import pytest
from django.core import signing
from django.utils import timezone
from playwright.sync_api import Page, expect

from studies.collection.arrival.raters import give_consent
from studies.collection.assignment import expire_leases, lease_task
from studies.collection.lifecycle import close_study
from studies.enums import TaskKind
from studies.models import Assignment, Judgment
from tests.e2e.looking import PHONE, check_page, check_sizes, follow
from tests.e2e.raters.steps import DESKTOP, agree, expect_task, expect_thanks, join_and_start, open_link, save, start
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import make_rater

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _join(page: Page, live_server, study) -> None:
    open_link(page, live_server, study)
    agree(page)
    start(page)


def _rate(page: Page, letter: str, score: str) -> None:
    page.get_by_role("group", name=f"Set {letter}").get_by_role("radio", name=score, exact=True).click()


def test_missing_answers_are_listed_and_given_ones_kept(page: Page, live_server) -> None:
    study = make_open_study(kind=TaskKind.SET_RATING, n_tasks=1)
    _join(page, live_server, study)
    _rate(page, "B", "0.7")
    save(page)

    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("heading")).to_have_text("2 answers are missing")
    kept = page.get_by_role("group", name="Set B").get_by_role("radio", name="0.7", exact=True)
    for size in (DESKTOP, PHONE):
        check_sizes(page, "errors", size)
        expect(kept).to_be_checked()
        summary.get_by_role("link", name="Choose an answer for Set C.").click()
        expect(page.get_by_role("group", name="Set C").get_by_role("radio", name="0", exact=True)).to_be_focused()

    _rate(page, "A", "0.1")
    _rate(page, "C", "1")
    save(page)
    expect_thanks(page)
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [0.1, 0.7, 1.0]


def test_consent_must_be_given(page: Page, live_server) -> None:
    study = make_open_study()
    open_link(page, live_server, study)
    follow(page.get_by_role("button", name="Continue"))

    expect(page.get_by_role("alert")).to_be_focused()
    check_page(page, "join-error")
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.get_by_role("checkbox")).to_be_focused()
    # The form that was refused is a page of its own.
    page.reload()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("checkbox").check()
    expect(page.get_by_role("alert")).to_have_count(0)
    agree(page)


def test_a_rater_is_shown_the_task_in_hand_after_a_double_click_going_back_and_a_second_visit(
    page: Page, live_server
) -> None:
    study = make_open_study(n_tasks=3)
    _join(page, live_server, study)
    page.get_by_role("radio").first.click()
    page.get_by_role("button", name="Save and continue").dblclick()
    expect_task(page, 2, 3)
    assert Judgment.objects.count() == 1

    page.go_back()
    expect_task(page, 2, 3)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)

    open_link(page, live_server, study)
    expect_task(page, 2, 3)


def test_link_of_another_rater_asks_first(page: Page, live_server) -> None:
    study = make_open_study()
    owner = make_rater(study, "owner")
    give_consent(owner, version=study.versions.latest("number"), now=timezone.now())
    signed = signing.dumps([study.pk, owner.pseudonym], salt="resume")
    link = f"{live_server.url}/r/{study.join_token}/resume/{signed}/"
    _join(page, live_server, study)

    page.goto(link)
    expect(page.get_by_role("heading", name="Continue as somebody else?")).to_be_visible()
    check_sizes(page, "resume", DESKTOP, PHONE)
    follow(page.get_by_role("button", name="Continue with this link"))

    expect(page.get_by_role("heading", name="Continue as somebody else?")).to_have_count(0)
    (cookie,) = [cookie for cookie in page.context.cookies() if cookie["name"] == f"rater-{study.pk}"]
    assert cookie["value"].strip('"').partition(":")[0] == "owner"


def test_pause_and_going_on(page: Page, live_server) -> None:
    study = make_open_study(n_tasks=2)
    _join(page, live_server, study)
    follow(page.get_by_role("button", name="Stop for now"))
    check_page(page, "pause")
    follow(page.get_by_role("link", name="Continue now"))

    expect_task(page, 1, 2)
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["leased", "returned"]


def test_task_taken_by_somebody_else_meanwhile(page: Page, live_server) -> None:
    study = make_open_study(n_tasks=2, tasks_per_rater=1)
    _join(page, live_server, study)
    assignment = Assignment.objects.get()
    page.get_by_role("radio").first.click()
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    _let_others_take_all(study, assignment)
    save(page)

    expect(page.get_by_role("status")).to_contain_text("been given to somebody else")
    expect_task(page, 1, 1)
    check_page(page, "too-late")


def test_pages_of_studies_that_take_no_answers(page: Page, live_server) -> None:
    draft = make_designed_study("draft")
    closed = make_open_study("closed")
    close_study(closed, now=timezone.now())

    page.goto(f"{live_server.url}/r/no-such-study/")
    expect(page.get_by_role("heading", name="There is no study at this address")).to_be_visible()
    check_page(page, "unknown")
    open_link(page, live_server, draft)
    expect(page.get_by_role("heading", name="This study has not started yet")).to_be_visible()
    check_page(page, "draft")
    open_link(page, live_server, closed)
    expect(page.get_by_role("heading", name="This study has ended")).to_be_visible()
    check_page(page, "closed")


def test_reference_instead_of_an_image_and_image_without_a_file(page: Page, live_server) -> None:
    sizes = (DESKTOP, PHONE)
    by_reference = make_open_study("by-reference", kind=TaskKind.PAIRWISE, has_anchors=True, has_files=False)
    without_file = make_open_study("without-file", kind=TaskKind.RATING, has_files=False, n_items=2)
    join_and_start(page, live_server, by_reference, name="by-reference", sizes=sizes)
    expect(page.get_by_role("figure", name="Reference")).to_contain_text("Reference of image")
    check_sizes(page, "by-reference-3-task", *sizes)
    join_and_start(page, live_server, without_file, name="without-file", sizes=sizes)
    expect(page.get_by_text("The image of this task is not available.").first).to_be_visible()
    check_sizes(page, "without-file-3-task", *sizes)


def _let_others_take_all(study, assignment) -> None:
    """Give the place of an expired assignment to another rater, and leave the other tasks free."""
    expire_leases(study_id=study.pk, now=timezone.now())
    raters = [make_rater(study, f"other-{number}") for number in range(study.tasks.count())]
    for other in [lease_task(rater, now=timezone.now()) for rater in raters]:
        if other.task_id != assignment.task_id:
            other.delete()
