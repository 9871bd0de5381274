"""Tests of comments, notifications, shortcuts and explained terms in a browser, on a desktop and a phone."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from studies.access.audit import COMMAND_LINE, record_change
from studies.enums import AuditAction, RequestState
from studies.models import ScoringRequest
from tests.e2e.looking import PHONE, check_page, follow, show_in_schemes
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.page_rights import make_report
from tests.studies.scored import list_items, make_scored_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(transactional_db):
    return make_user("owner")


@pytest.fixture
def study(owner):
    study = make_scored_study(values=(1, 2, 4, 3), owner=owner, title="Captions of dogs")
    record_change(study, actor=COMMAND_LINE, action=AuditAction.CREATED, now=NOW)
    return study


@pytest.fixture
def researcher(page: Page, live_server, study) -> Page:
    """The browser of the owner, logged in; whatever it writes to its console is a failure."""
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
    log_in(page, live_server, "owner")
    yield page
    assert complaints == []


def test_new_pages_are_accessible_and_fit(researcher: Page, live_server, owner, study, settings) -> None:
    settings.HAS_MAIL, settings.ACCORDANCE_WEBHOOK_HOSTS = True, ["hooks.example.org"]
    make_report(study)
    make_study("draft", owner=owner, title="Is it a dog?")
    ScoringRequest.objects.create(study=study, state=RequestState.FAILED, requested_at=NOW, finished_at=NOW)
    item = list_items(study)[0]
    item.candidate.text = "كلب بني يقفز فوق جذع شجرة 🐕"
    item.candidate.save()
    pages = {
        "list": "/",
        "activity": "/activity/",
        "notifications": "/account/notifications/",
        "item": f"/studies/study/items/{item.pk}/",
        "report": "/studies/study/reports/1/",
    }
    for name, address in pages.items():
        researcher.goto(live_server.url + address)
        if name == "item":
            researcher.get_by_label("Your comment").fill("Is that a dog?\nIt looks like a wolf 🐺.")
            follow(researcher.get_by_role("button", name="Add the comment"))
            expect(researcher.get_by_text("It looks like a wolf 🐺.")).to_be_visible()
        for scheme in show_in_schemes(researcher, DESKTOP, PHONE):
            check_page(researcher, f"collaboration-{scheme}-{name}")


def test_shortcuts_help_lead_and_keep_out_of_fields(researcher: Page, live_server, study) -> None:
    researcher.clock.install()
    researcher.goto(f"{live_server.url}/studies/study/items/{list_items(study)[0].pk}/")
    help_dialog = researcher.get_by_role("dialog", name="Keyboard shortcuts")
    comment = researcher.get_by_label("Your comment")
    comment.press_sequentially("go? gd")
    expect(help_dialog).not_to_be_visible()
    expect(comment).to_have_value("go? gd")

    researcher.get_by_role("heading", name="Captions of dogs").click()
    researcher.keyboard.press("?")
    expect(help_dialog).to_be_visible()
    check_page(researcher, "collaboration-shortcuts")
    researcher.keyboard.press("Escape")
    expect(help_dialog).not_to_be_visible()
    expect(researcher.locator("body")).to_be_focused()
    # No time passes between the two keys, for which there is little.
    researcher.clock.pause_at(timezone.now() + timedelta(minutes=10))
    researcher.keyboard.press("g")
    researcher.keyboard.press("t")
    expect(researcher).to_have_url(re.compile("/studies/study/reports/$"))

    researcher.get_by_role("button", name=re.compile("^Keyboard shortcuts")).click()
    researcher.get_by_label("Use keyboard shortcuts in this browser").uncheck()
    researcher.get_by_role("button", name="Close").click()
    researcher.reload()
    researcher.keyboard.press("?")
    expect(help_dialog).not_to_be_visible()


def test_terms_are_explained_by_keyboard_and_touch(researcher: Page, live_server, study) -> None:
    make_report(study)
    researcher.goto(f"{live_server.url}/studies/study/reports/1/")
    button = researcher.get_by_role("button", name="What does human ceiling mean?")
    text = researcher.get_by_text("How well people predict people")
    expect(text).not_to_be_visible()

    button.focus()
    researcher.keyboard.press("Enter")
    expect(text).to_be_visible()
    check_page(researcher, "collaboration-term")
    researcher.keyboard.press("Escape")
    expect(text).not_to_be_visible()
    expect(button).to_be_focused()

    researcher.set_viewport_size(PHONE)
    button.click()
    expect(text).to_be_visible()
    check_page(researcher, "collaboration-term-phone")
    edges = text.evaluate(
        "each => { const box = each.closest('[popover]').getBoundingClientRect(); return [box.left, box.right]; }"
    )
    assert 0 <= edges[0] < edges[1] <= PHONE["width"]


def test_search_opens_by_a_key_and_leads_to_what_was_found(researcher: Page, live_server, study) -> None:
    researcher.goto(f"{live_server.url}/studies/study/")
    dialog = researcher.get_by_role("dialog", name="Search")
    words = dialog.get_by_role("searchbox")

    researcher.keyboard.press("Control+k")
    expect(words).to_be_focused()
    expect(dialog.get_by_role("link", name="Reports")).to_be_visible()
    check_page(researcher, "search-dialog-study")
    words.fill("dogs")
    expect(dialog.get_by_role("link", name="Captions of dogs")).to_be_visible()
    researcher.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()

    researcher.keyboard.press("/")
    words.press_sequentially("history")
    expect(dialog.get_by_role("link")).to_have_text(["History"])
    expect(dialog.get_by_role("status")).to_have_text("1 page")
    researcher.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("link", name="History")).to_be_focused()
    researcher.keyboard.press("Enter")
    expect(researcher).to_have_url(f"{live_server.url}/studies/study/history/")

    # Before its script is there, the link leads to another page.
    researcher.wait_for_load_state()
    researcher.get_by_role("link", name="Search").click()
    words.fill("cider-d")
    words.press("Enter")
    expect(researcher).to_have_url(f"{live_server.url}/metrics/cider-d/")


def test_search_page_is_accessible_and_fits(researcher: Page, live_server, study) -> None:
    for name, query in (("found", "dogs"), ("nothing", "zzz")):
        researcher.goto(f"{live_server.url}/search/?q={query}&study=study")
        for scheme in show_in_schemes(researcher, DESKTOP, PHONE):
            check_page(researcher, f"search-{scheme}-{name}")
    # On a phone, the last size.
    researcher.get_by_role("link", name="Search").click()
    with researcher.expect_response(re.compile("q=co")):
        researcher.get_by_role("searchbox", name="Studies, reports").last.fill("co")
    expect(researcher.get_by_role("dialog", name="Search").get_by_role("link").first).to_be_visible()
    for scheme in show_in_schemes(researcher, PHONE, DESKTOP):
        check_page(researcher, f"search-{scheme}-dialog")


def test_new_changes_are_marked_until_they_are_read(researcher: Page, live_server) -> None:
    researcher.goto(f"{live_server.url}/studies/")
    researcher.get_by_role("link", name="All activity (1 new)").click()
    feed = researcher.get_by_role("region", name="Changes of your studies, newest first")
    expect(feed.get_by_role("listitem").filter(has_text="New")).to_have_count(1)
    check_page(researcher, "activity-new")

    researcher.get_by_role("button", name="Mark all as read").click()

    expect(researcher.get_by_role("button", name="Mark all as read")).to_have_count(0)
    expect(feed.get_by_role("listitem")).to_have_count(1)
    expect(feed.get_by_text("New", exact=True)).to_have_count(0)
