"""Tests of members, history, API tokens, sign-up and login in a browser, in light and dark mode."""

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from studies.access.audit import Actor, record_change
from studies.access.tokens import make_token, revoke_token
from studies.enums import AuditAction, Interface, MemberRole
from studies.models import ApiToken, Study, StudyMember
from tests.e2e.looking import (
    PHONE,
    SMALL,
    check_page,
    check_sizes,
    expect_seen,
    follow,
    follow_by_key,
    show_at,
    show_in_schemes,
    tab_through,
)
from tests.e2e.researchers.test_pages import DESKTOP, log_in, owner, researcher  # noqa: F401
from tests.factories.studies import make_member, make_study, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "a-colleague-with-a-name-that-nothing-can-break-anywhere"


@pytest.fixture
def study(owner):  # noqa: F811
    study, now = make_study(owner=owner, title="A study with colleagues"), timezone.now()
    make_member(study, make_user("viewer"), MemberRole.VIEWER)
    make_member(study, make_user(LONG), MemberRole.EDITOR)
    actor = Actor(owner, Interface.PAGE)
    for name, role in (("notebook", MemberRole.ANALYST), ("a script that nobody remembers", MemberRole.VIEWER)):
        made = make_token(study, name=name, role=role, actor=actor, now=now)
    revoke_token(made.token, actor=actor, now=now)
    for number in range(60):
        details = {"was": number, "is": number + 1, "fields": ["consent", "pay.reward", "x" * 90]}
        record_change(study, actor=actor, action=AuditAction.DESIGNED, now=now, details=details)
    return study


def look_everywhere(page: Page, name: str, *, tabs: bool = True) -> None:
    """Check a page, and that the keyboard reaches all of it, in both sizes and schemes."""
    for scheme in show_in_schemes(page, DESKTOP, SMALL):
        check_page(page, f"{name}-{scheme}")
        if tabs:
            tab_through(page)


def test_people_and_history_are_accessible_and_fit(researcher: Page, live_server, study) -> None:  # noqa: F811
    for name, address in (("people", "people/"), ("history", "history/"), ("history-end", "history/?page=2")):
        researcher.goto(f"{live_server.url}/studies/study/{address}")
        look_everywhere(researcher, name)


def test_the_page_of_the_api_is_accessible_and_fits(researcher: Page, live_server) -> None:  # noqa: F811
    researcher.goto(f"{live_server.url}/api/v1/")

    look_everywhere(researcher, "api")


def test_interfaces_are_accessible_and_fit(page: Page, live_server, transactional_db, settings) -> None:
    settings.ACCORDANCE_SIGN_UP = "open"

    page.goto(f"{live_server.url}/login/")
    look_everywhere(page, "login")
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    follow(page.get_by_role("button", name="Log in"))
    expect(page.get_by_role("alert")).to_contain_text("Please enter a correct username and password.")
    look_everywhere(page, "login-wrong", tabs=False)

    follow(page.get_by_role("link", name="Sign up"))
    look_everywhere(page, "sign-up")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_label("Password:", exact=True).fill("password")
    page.get_by_label("Password confirmation").fill("another")
    follow(page.get_by_role("button", name="Create an account"))
    expect(page.get_by_text("The two password fields didn’t match.")).to_be_visible()  # noqa: RUF001
    look_everywhere(page, "sign-up-wrong", tabs=False)
    assert not User.objects.exists()


def test_somebody_signs_up_by_keyboard_without_javascript(
    browser: Browser, live_server, transactional_db, settings
) -> None:
    settings.ACCORDANCE_SIGN_UP = "open"
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_server.url}/sign-up/")

    page.get_by_label("Username").focus()
    for text in ("ada", "ada@example.org", "correct-horse-7", "correct-horse-7"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    follow_by_key(page)

    expect(page.get_by_text("You do not own any studies")).to_be_visible()
    assert User.objects.get().username == "ada"


def test_a_study_is_offered_and_accepted(browser: Browser, live_server, study) -> None:
    make_user("ada")
    owners, adas = (browser.new_context(viewport=PHONE).new_page() for _ in range(2))
    log_in(owners, live_server, "owner")
    owners.goto(f"{live_server.url}/studies/study/people/")
    form = owners.get_by_role("region", name="Transfer ownership")
    name, offer = form.get_by_label("Username"), form.get_by_role("button", name="Offer ownership")
    expect_seen(name, offer, sizes=(DESKTOP, PHONE))
    name.fill("ada")
    follow(offer)
    check_sizes(owners, "people-offer", DESKTOP, PHONE, seen=[owners.get_by_role("button", name="Withdraw the offer")])

    log_in(adas, live_server, "ada")
    adas.goto(f"{live_server.url}/studies/")
    offers = adas.get_by_role("link", name="accept or decline")
    expect_seen(offers, sizes=(DESKTOP, PHONE))
    follow(offers)
    for _ in show_at(adas, DESKTOP, PHONE):
        check_page(adas, "offers")
        tab_through(adas)
    accept = adas.get_by_role("button", name="Accept A study with colleagues")
    expect_seen(accept, sizes=(DESKTOP, PHONE))
    follow(accept)

    expect_seen(adas.get_by_text("You now own the study."), sizes=(DESKTOP, PHONE))
    assert Study.objects.get(pk=study.pk).owner.username == "ada"


def test_members_and_tokens_are_changed_by_keyboard(researcher: Page, live_server, study) -> None:  # noqa: F811
    make_user("ada")
    sizes = (DESKTOP, SMALL)
    researcher.set_viewport_size(SMALL)
    researcher.goto(f"{live_server.url}/studies/study/people/")

    researcher.get_by_role("region", name="Add a member").get_by_label("Username").focus()
    researcher.keyboard.type("ada")
    follow_by_key(researcher)
    expect_seen(researcher.get_by_text("The member has been added."), sizes=sizes)
    researcher.get_by_label("Role of ada", exact=True).focus()
    # One key: after a pause, a browser takes the next one for the beginning of another choice.
    researcher.keyboard.press("a")
    researcher.keyboard.press("Tab")
    follow_by_key(researcher)
    expect_seen(researcher.get_by_text("The role has been changed."), sizes=sizes)
    assert StudyMember.objects.get(user__username="ada").role == MemberRole.ANALYST
    researcher.get_by_role("button", name="Remove ada").focus()
    follow_by_key(researcher)
    expect_seen(researcher.get_by_text("ada is no longer a member."), sizes=sizes)

    researcher.get_by_role("region", name="API tokens").get_by_label("Name of the token").focus()
    researcher.keyboard.type("by hand")
    follow_by_key(researcher)
    revoke = researcher.get_by_role("button", name=re.compile("^Revoke by hand"))
    made = researcher.get_by_role("heading", name="Your new token")
    check_sizes(researcher, "token-made", *sizes, seen=[made, revoke])
    revoke.focus()
    follow_by_key(researcher)
    expect_seen(researcher.get_by_text("The token has been revoked."), sizes=sizes)
    assert ApiToken.objects.get(name="by hand").revoked_at is not None


def test_what_cannot_be_is_told_beside_its_form(page: Page, live_server, study) -> None:
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/study/people/")

    page.get_by_role("region", name="Add a member").get_by_label("Username").fill("nobody-at-all")
    follow(page.get_by_role("button", name="Add"))

    expect(page.get_by_role("region", name="Add a member")).to_contain_text("nobody-at-all")
    check_page(page, "people-wrong")


def test_viewer_sees_people_and_changes_nobody(page: Page, live_server, study) -> None:
    log_in(page, live_server, "viewer")
    page.goto(f"{live_server.url}/studies/study/people/")

    expect(page.get_by_role("region", name="Table of members")).to_contain_text(LONG)
    expect(page.locator("main form")).to_have_count(0)
    check_page(page, "people-viewer")
