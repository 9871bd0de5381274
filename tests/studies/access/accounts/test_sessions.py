"""Tests that sessions end after inactivity, and when their owner ends them."""

import pytest
from django.contrib.auth import get_user
from django.test import Client

from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
NAME = {"username": "owner", "password": "owner"}


@pytest.fixture
def browser(client, settings):
    settings.ACCORDANCE_IDLE_MINUTES = 30
    make_user()
    client.post("/login/", NAME)
    client.get("/offers/")
    return client


def wait(client, minutes):
    session = client.session
    session["last_seen"] -= minutes * 60
    session.save()


def test_log_in_ends_after_the_time_without_a_request(browser):
    wait(browser, 29)
    assert browser.get("/offers/").status_code == 200
    wait(browser, 29)
    assert browser.get("/offers/").status_code == 200
    wait(browser, 30)
    ended = browser.get("/offers/", follow=True)

    assert ended.redirect_chain == [("/login/?next=/offers/", 302)]
    assert "You were logged out because of inactivity." in ended.content.decode()


def test_a_page_that_asks_by_itself_does_not_keep_it(browser):
    for _ in range(2):
        wait(browser, 20)
        browser.get("/offers/", headers={"hx-request": "true"})

    assert not get_user(browser).is_authenticated


def test_session_is_not_written_at_every_request(browser, django_assert_num_queries):
    # The session, the user, and the job that lists plugins.
    with django_assert_num_queries(3) as queries:
        browser.get("/metrics/")

    assert not [query for query in queries if "UPDATE" in query["sql"]]


def test_zero_is_no_limit(browser, settings):
    settings.ACCORDANCE_IDLE_MINUTES = 0
    wait(browser, 60 * 24 * 7)

    assert browser.get("/offers/").status_code == 200


def test_owner_logs_out_everywhere_else(browser):
    others = [Client(), Client()]
    for other in others:
        other.post("/login/", NAME)
    page = browser.get("/account/sessions/").content.decode()
    assert page.count("since") >= 3

    browser.post("/account/sessions/")

    assert [get_user(other).is_authenticated for other in (browser, *others)] == [True, False, False]


def test_new_password_logs_out_everywhere_else(browser):
    other = Client()
    other.post("/login/", NAME)
    new = {"oldpassword": "owner", "password1": "correct-horse-7", "password2": "correct-horse-7"}

    assert browser.post("/account/password/change/", new).status_code == 302

    assert [get_user(one).is_authenticated for one in (browser, other)] == [True, False]
    assert Client().post("/login/", NAME | {"password": "correct-horse-7"}).status_code == 302


def test_logging_in_and_out_is_signalled(client):
    from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed

    make_user()
    heard = []
    receivers = {
        signal: lambda name=name, **_: heard.append(name)
        for signal, name in ((user_logged_in, "in"), (user_logged_out, "out"), (user_login_failed, "failed"))
    }
    for signal, receiver in receivers.items():
        signal.connect(receiver, weak=False)
    try:
        client.post("/login/", NAME | {"password": "wrong"})
        client.post("/login/", NAME)
        client.post("/logout/")
    finally:
        for signal, receiver in receivers.items():
            signal.disconnect(receiver)

    assert heard == ["failed", "in", "out"]
