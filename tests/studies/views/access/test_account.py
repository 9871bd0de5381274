"""Tests of changing one's password and email address, and of the emails sent."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.test import Client

from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
FILLED = {"username": "ada", "email": "ada@example.org", "password1": "correct-horse-7", "password2": "correct-horse-7"}
NAME = {"username": "ada", "password": "correct-horse-7"}


@pytest.fixture
def mailed(settings):
    settings.HAS_MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    settings.ACCORDANCE_SIGN_UP = "open"


def find_path(mail):
    (path,) = re.findall(r"http://testserver(/\S+)", mail.body)
    return path


def test_new_account_confirms_its_address_before_it_is_used(client, mailed, mailoutbox):
    asked = client.post("/sign-up/", FILLED, follow=True)
    assert not get_user(client).is_authenticated
    assert asked.redirect_chain == [("/account/email/sent/", 302)]
    assert [mail.to for mail in mailoutbox] == [["ada@example.org"]]
    assert client.post("/login/", NAME).url == "/account/email/sent/"
    path = find_path(mailoutbox[0])

    assert client.get(path).status_code == 200
    assert not EmailAddress.objects.get().verified
    client.post(path)

    assert EmailAddress.objects.get().verified
    assert Client().post("/login/", NAME).url == "/studies/"


def test_account_that_an_operator_made_confirms_nothing(client, mailed, mailoutbox):
    make_user("operator", email="operator@example.org")

    for _ in range(2):
        assert client.post("/login/", {"username": "operator", "password": "operator"}).url == "/studies/"
        client.get("/account/email/")
        client.post("/logout/")
    assert mailoutbox == []


def test_password_is_reset_by_mail(client, mailed, mailoutbox):
    make_user("ada", email="ada@example.org")
    browser = Client()
    browser.post("/login/", {"username": "ada", "password": "ada"})

    client.post("/account/password/reset/", {"email": "ADA@example.org"})
    form = client.get(find_path(mailoutbox[0]), follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "correct-horse-7", "password2": "correct-horse-7"})

    assert User.objects.get().check_password("correct-horse-7")
    # Neither who had the old one nor who has the link is let in by it.
    assert not get_user(browser).is_authenticated
    assert not get_user(client).is_authenticated
    again = client.get(find_path(mailoutbox[0]), follow=True).content.decode()
    assert "password reset link was invalid" in again


def test_reset_tells_nobody_who_has_an_account(client, mailed, mailoutbox):
    make_user("ada", email="ada@example.org")

    answers = [
        client.post("/account/password/reset/", {"email": f"{name}@example.org"}, follow=True)
        for name in ("ada", "nobody")
    ]

    assert len({answer.content for answer in answers}) == 1
    # A mail is sent in both cases, so that neither takes longer.
    assert [mail.to for mail in mailoutbox] == [["ada@example.org"], ["nobody@example.org"]]


def test_reset_lifts_the_limit_of_the_name(client, mailed, mailoutbox, settings):
    settings.ACCORDANCE_FAILED_LOGINS = 1
    make_user("ada", email="ada@example.org")
    wrong = [client.post("/login/", {"username": "ada", "password": "x"}).status_code for _ in range(2)]

    client.post("/account/password/reset/", {"email": "ada@example.org"})
    form = client.get(find_path(mailoutbox[0]), follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "correct-horse-7", "password2": "correct-horse-7"})

    assert wrong == [200, 429]
    assert client.post("/login/", NAME).url == "/studies/"


def test_mails_that_are_asked_for_have_a_limit(client, mailed, mailoutbox, settings):
    settings.ACCORDANCE_FAILED_LOGINS = 2

    asked = [client.post("/account/password/reset/", {"email": f"{n}@example.org"}).status_code for n in range(3)]

    assert (asked, len(mailoutbox)) == ([302, 302, 429], 2)


@pytest.mark.parametrize("page", ["password/reset/", "email/", "email/sent/", "email/x/confirm/"])
def test_without_mail_its_pages_are_not_there(client, page):
    client.force_login(make_user())

    assert client.get(f"/account/{page}").status_code == 404
    assert "E-mail addresses" not in client.get("/account/").content.decode()


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("short-horse", "This password is too short. It must contain at least 12 characters."),
        ("123456789012", "This password is entirely numeric."),
        ("ada.lovelace", "The password is too similar to the username."),
    ],
)
def test_passwords_have_rules(client, settings, password, words):
    settings.ACCORDANCE_SIGN_UP = "open"

    given = FILLED | {"username": "ada-lovelace", "password1": password, "password2": password}

    assert words in client.post("/sign-up/", given).content.decode()
    assert not User.objects.exists()


def test_log_in_pages_ask_little_of_the_database(client, django_assert_num_queries):
    make_user()

    with django_assert_num_queries(0):
        client.get("/login/")
