"""Tests of account pages in a browser: layout and accessibility, and setting up and using a second factor."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.looking import PHONE, check_page, follow
from tests.factories.studies import make_user
from tests.studies.access.accounts.codes import compute_code

pytestmark = pytest.mark.browser
DESKTOP = {"width": 1280, "height": 800}


def log_in(page: Page, address: str) -> None:
    page.goto(f"{address}/login/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("owner")
    follow(page.get_by_role("button", name="Log in"))


def look(page: Page, name: str) -> None:
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        check_page(page, f"account-{name}")


def test_a_second_factor_is_added_and_asked_for(page: Page, live_server, transactional_db, settings) -> None:
    settings.HAS_MAIL = True
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    make_user("owner", email="owner@example.org")
    log_in(page, live_server.url)
    for name in ("", "password/change/", "email/", "sessions/", "second-factor/"):
        page.goto(f"{live_server.url}/account/{name}")
        look(page, name.replace("/", "-") or "overview")

    follow(page.get_by_role("link", name="Activate"))
    look(page, "confirm")
    page.get_by_label("Password").fill("owner")
    follow(page.get_by_role("button", name="Confirm"))
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    look(page, "code")
    secret = page.get_by_label("Authenticator secret").input_value()
    page.get_by_label("Authenticator code").fill(compute_code(secret, now=time.time()))
    follow(page.get_by_role("button", name="Activate"))
    expect(page.get_by_role("heading", name="Recovery Codes")).to_be_visible()
    look(page, "recovery")

    recovery = page.get_by_label("Unused codes").input_value().split()
    follow(page.get_by_role("button", name="Log out"))
    log_in(page, live_server.url)
    look(page, "asked")
    page.get_by_label("Code").fill(recovery[0])
    follow(page.get_by_role("button", name="Sign In"))
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible()
    follow(page.get_by_role("button", name="Log out"))
    page.goto(f"{live_server.url}/account/password/reset/")
    look(page, "reset")
    assert complaints == []
