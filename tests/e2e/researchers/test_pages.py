"""Tests of researchers' pages in a browser on a desktop, a phone and a narrow phone, and without JavaScript."""

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from studies.enums import StudyState, TaskKind
from studies.models import Study
from studies.scoring.study_scoring import score_study
from tests.e2e.looking import NARROW, PHONE, SMALL, check_page, follow, show_at, skip_to_content
from tests.e2e.measuring import check_fit, find_cut_badges
from tests.e2e.raters.steps import agree, expect_task, save, start
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import make_judgment, make_rater, make_study, make_user
from tests.studies.scored import list_items, make_scored_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESKTOP = {"width": 1280, "height": 900}
SIGNATURE = "custom@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-c"


@pytest.fixture
def owner(transactional_db):
    return make_user("owner")


@pytest.fixture
def researcher(page: Page, live_server, owner) -> Page:
    """The browser of the owner, logged in; whatever it writes to its console is a failure."""
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    log_in(page, live_server, "owner")
    yield page
    assert complaints == []


def log_in(page: Page, live_server, name: str) -> None:
    """Give the browser a session of a user, as if they had logged in; no page is opened."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])


def log_in_by_form(page: Page, live_server, name: str) -> None:
    page.goto(f"{live_server.url}/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(name)
    follow(page.get_by_role("button", name="Log in"))
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible()


def wait_for_pictures(page: Page) -> None:
    """Wait until every picture is decoded; one that cannot be fails the test."""
    page.evaluate("Promise.all([...document.images].map(image => image.decode()))")


def look(page: Page, name: str) -> None:
    """Check a page with its details open and its pictures loaded, on a desktop and on phones."""
    for _ in show_at(page, DESKTOP, PHONE, NARROW):
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.evaluate("document.images.length && [...document.images].forEach(image => image.loading = 'eager')")
        wait_for_pictures(page)
        check_page(page, name)
        check_fit(page)


def test_pages_are_accessible_and_fit(researcher: Page, live_server, owner) -> None:
    make_scored_study("scored", values=(1, 2, 4, 3), owner=owner, title="A study with results")
    # Nothing of these can be broken at a space or a hyphen.
    make_scored_study("long" * 20, values=(1, 2, 4, 3), owner=owner, protocol=SIGNATURE, title="Judged_again" * 8)
    make_study("longer" * 10, owner=owner, protocol=SIGNATURE)
    for kind in TaskKind:
        study = make_open_study(f"open-{kind.value}".replace("_", "-"), kind=kind)
        Study.objects.filter(pk=study.pk).update(owner=owner)
        make_judgment(list_items(study)[0], make_rater(study), 1.0)

    researcher.goto(f"{live_server.url}/studies/")
    look(researcher, "list")
    for study in Study.objects.all():
        researcher.goto(f"{live_server.url}/studies/{study.name}/")
        look(researcher, f"study-{study.name}")
    researcher.goto(f"{live_server.url}/metrics/")
    look(researcher, "metrics")


def test_the_states_of_studies_are_seen_whole_on_a_phone(researcher: Page, live_server, owner) -> None:
    for number, state in enumerate(StudyState):
        make_study(f"study-{number}", owner=owner, state=state, title="Judged_again" * (1 + 7 * number))
    Study.objects.filter(name="study-1").update(is_simulated=True)
    researcher.goto(f"{live_server.url}/studies/")

    for size in (SMALL, PHONE, NARROW):
        researcher.set_viewport_size(size)
        assert find_cut_badges(researcher) == []
        badges = researcher.locator("table .state")
        assert badges.count() == len(StudyState) + 1
        ends = badges.evaluate_all("all => all.map(each => each.getBoundingClientRect().right)")
        assert max(ends) < size["width"]


def test_signature_of_a_protocol_is_short_above_and_whole_below(researcher: Page, live_server, owner) -> None:
    make_study(owner=owner, protocol=SIGNATURE)
    researcher.goto(f"{live_server.url}/studies/study/")

    expect(researcher.locator("header.study")).to_contain_text("Protocol custom@1")
    expect(researcher.locator("header.study")).not_to_contain_text("rows:all")
    expect(researcher.get_by_role("region", name="Design")).to_contain_text(SIGNATURE)


def test_all_columns_of_the_metrics_are_seen_on_a_desktop(researcher: Page, live_server) -> None:
    researcher.set_viewport_size(DESKTOP)
    researcher.goto(f"{live_server.url}/metrics/")

    table = researcher.get_by_role("region", name="Table of metrics")

    assert table.evaluate("each => each.scrollWidth - each.clientWidth") == 0


def test_pages_for_nobody_are_accessible_and_fit(page: Page, live_server) -> None:
    for name, address in {"login": "/login/", "404": "/nowhere/"}.items():
        page.goto(live_server.url + address)
        check_page(page, name)


def test_researcher_sees_a_new_judgment_and_the_new_correlation(
    researcher: Page, browser: Browser, live_server, owner
) -> None:
    study = make_designed_study("rated", n_tasks=2, raters_per_task=2)
    Study.objects.filter(pk=study.pk).update(owner=owner)
    second = list_items(study)[1]
    second.candidate.text += " It is autumn."
    second.candidate.save()
    score_study(study, now=timezone.now, metrics=["length"])
    researcher.goto(f"{live_server.url}/studies/rated/")
    expect(researcher.get_by_text("No judgments yet.")).to_be_visible()

    follow(researcher.get_by_role("button", name="Open the study"))
    expect(researcher.get_by_text("The study is open.")).to_be_visible()
    link = researcher.get_by_role("textbox", name="Link for raters").input_value()

    rater = browser.new_context().new_page()
    rater.goto(link)
    agree(rater)
    start(rater)
    for number in (1, 2):
        expect_task(rater, number, 2)
        wanted = "Minor mistakes" if "autumn" in rater.content() else "Somewhat related"
        rater.locator("label", has_text=wanted).click()
        save(rater)
    expect(rater.get_by_role("heading", name="Thank you")).to_be_visible()

    researcher.reload()
    expect(researcher.get_by_text("2 of 4", exact=True)).to_be_visible()
    # Two captions, the longer one rated higher: all pairs agree.
    researcher.locator("#results > details > summary").click()
    line = researcher.get_by_role("row", name=re.compile("^length"))
    expect(line.get_by_role("cell").first).to_have_text("1.000")
    wait_for_pictures(researcher)

    follow(researcher.get_by_role("button", name="Close the study"))
    expect(researcher.get_by_text("The study is closed.", exact=True)).to_be_visible()
    assert Study.objects.get(name="rated").state == StudyState.CLOSED


def test_figure_is_drawn_under_the_content_security_policy(researcher: Page, live_server, owner) -> None:
    make_scored_study(values=(1, 2, 4, 3), owner=owner)
    researcher.goto(f"{live_server.url}/studies/study/")

    # With scripts it is replaced by a plot that can be pointed at, but for print.
    figure = researcher.locator("img[alt^='Scatter plot of length'][alt*='Kendall τ-c 0.667, n = 4']")

    assert figure.evaluate("image => image.decode().then(() => image.naturalWidth)") > 600
    researcher.set_viewport_size(PHONE)
    researcher.reload()
    wait_for_pictures(researcher)
    assert figure.evaluate("image => image.currentSrc").endswith("?metric=length&size=narrow")
    # Opened by itself, the picture is a document of its own, under the same policy.
    response = researcher.goto(f"{live_server.url}/studies/study/scatter.svg?metric=length")
    assert response is not None
    assert "default-src 'self'" in response.headers["content-security-policy"]
    expect(researcher.locator("text", has_text="individual judgments")).to_be_visible()


def test_metric_is_chosen_and_the_figure_downloaded(researcher: Page, live_server, owner) -> None:
    make_scored_study(values=(1, 2, 3), owner=owner)
    researcher.goto(f"{live_server.url}/studies/study/")

    researcher.get_by_label("Metric:", exact=True).select_option("rouge-l")
    follow(researcher.get_by_role("button", name="Show"))
    expect(researcher).to_have_url(re.compile(r"\?metric=rouge-l#scatter$"))
    expect(researcher.get_by_role("img", name=re.compile("^Scatter plot of rouge-l"))).to_be_visible()

    with researcher.expect_download() as download:
        researcher.get_by_role("link", name="PDF", exact=True).click()
    assert download.value.suggested_filename == "study-rouge-l.pdf"


def test_everything_works_without_javascript(browser: Browser, live_server, owner) -> None:
    make_scored_study(values=(1, 2, 3), owner=owner)
    make_study("draft", kind=TaskKind.PAIRWISE, owner=owner)
    page = browser.new_context(java_script_enabled=False).new_page()

    log_in_by_form(page, live_server, "owner")
    follow(page.get_by_role("link", name="Study", exact=True))
    page.locator("#results > details > summary").click()
    expect(page.get_by_role("row", name=re.compile("^length"))).to_contain_text("1.000")
    page.get_by_text("Signatures: all choices behind each number").click()
    expect(page.get_by_text(re.compile(r"^length\|"))).to_be_visible()

    page.goto(f"{live_server.url}/studies/draft/")
    follow(page.get_by_role("button", name="Open the study"))
    expect(page.get_by_text("The study is open.")).to_be_visible()
    follow(page.get_by_role("button", name="Log out"))
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="Log in")).to_be_visible()


def test_keyboard_reaches_the_content_and_wide_tables(researcher: Page, live_server, owner) -> None:
    make_scored_study(owner=owner)
    researcher.goto(f"{live_server.url}/studies/study/")

    skip_to_content(researcher)
    expect(researcher).to_have_url(re.compile("#content$"))
    researcher.get_by_role("region", name="Table of items").focus()
    expect(researcher.get_by_role("region", name="Table of items")).to_be_focused()


def test_admin_works_under_the_content_security_policy(page: Page, live_server, transactional_db) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    make_user("operator", is_staff=True, is_superuser=True)
    make_user("colleague")
    study = make_study()
    log_in(page, live_server, "operator")
    page.goto(f"{live_server.url}/studies/")

    follow(page.get_by_role("link", name="Admin"))
    expect(page.get_by_role("heading", name="Installed metrics")).to_be_visible()
    page.goto(f"{live_server.url}/admin/studies/study/{study.pk}/change/")
    # The owner is found by typing: Django's own scripts ran.
    page.get_by_role("combobox").first.click()
    page.locator(".select2-search__field").fill("colle")
    page.locator(".select2-results__option", has_text="colleague").click()
    follow(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_text("was changed successfully")).to_be_visible()

    assert Study.objects.get().owner is not None
    assert [complaint for complaint in complaints if "Content Security Policy" in complaint] == []


def test_stranger_is_told_that_there_is_no_such_page(page: Page, live_server, owner) -> None:
    make_study(owner=owner)
    make_user("stranger")
    log_in(page, live_server, "stranger")

    page.goto(f"{live_server.url}/studies/study/")

    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    check_page(page, "404-stranger")
