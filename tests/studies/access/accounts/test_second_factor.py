"""Tests of the second factor: codes of an app are required, limited, and valid once."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.contrib.auth import get_user
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.utils import timezone

from studies.access.accounts.second_factor import SecondFactorAdapter
from tests.factories.studies import make_user
from tests.studies.access.accounts.codes import compute_code

PAGE = "/account/second-factor/"
NAME = {"username": "owner", "password": "owner"}


SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def add_factor(user, secret=SECRET):
    data = {"secret": SecondFactorAdapter().encrypt(secret)}
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)
    return secret


def is_in(client):
    return get_user(client).is_authenticated


def test_code_is_the_one_of_the_standard():
    # RFC 6238, appendix B: the last six digits of SHA-1 at 59 and 1111111109 seconds.
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    assert [compute_code(secret, now=now) for now in (59, 1111111109)] == ["287082", "081804"]


@pytest.mark.django_db
def test_a_factor_is_added_after_the_password_and_then_asked_for(client):
    user = make_user()
    client.post("/login/", NAME)

    asked = client.get(f"{PAGE}totp/activate/")
    assert asked.url.startswith("/account/reauthenticate/")
    page = client.post(asked.url, {"password": "owner"}, follow=True)
    (secret,) = re.findall(r'value="([A-Z2-7]{32})"', page.content.decode())
    done = client.post(f"{PAGE}totp/activate/", {"code": compute_code(secret, now=time.time())}, follow=True)
    assert "recovery codes" in done.content.decode().lower()
    stored = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP).data["secret"]
    assert secret not in stored

    other = Client()
    asked = other.post("/login/?next=/metrics/", NAME)
    assert (asked.url, is_in(other)) == (f"{PAGE}authenticate/", False)
    assert (other.get("/offers/").status_code, other.get("/admin/").status_code) == (302, 302)


@pytest.mark.django_db
def test_right_code_lets_in_once_and_wrong_ones_do_not(client):
    secret = add_factor(make_user())
    code = compute_code(secret, now=time.time())
    client.post("/login/?next=/metrics/", NAME)

    wrong = client.post(f"{PAGE}authenticate/", {"code": "000000" if code != "000000" else "111111"})
    assert (wrong.status_code, is_in(client)) == (200, False)
    right = client.post(f"{PAGE}authenticate/", {"code": code})
    assert (right.url, is_in(client)) == ("/metrics/", True)

    other = Client()
    other.post("/login/", NAME)
    other.post(f"{PAGE}authenticate/", {"code": code})
    assert not is_in(other)


@pytest.mark.django_db
@pytest.mark.parametrize(("periods", "lets_in"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_code_that_ended_while_it_was_typed_lets_in(client, monkeypatch, periods, lets_in):
    now = 1_800_000_000.0
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: now))
    secret = add_factor(make_user())
    client.post("/login/", NAME)

    client.post(f"{PAGE}authenticate/", {"code": compute_code(secret, now=now + 30 * periods)})

    assert is_in(client) == lets_in


@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [0, 1])
def test_used_code_does_not_let_in_where_counting_starts_anew(client, monkeypatch, ahead):
    # Counts are those of quarters of an hour, at whose ends a code ends as well.
    now = 1_800_000_000.0 - 1_800_000_000 % 900 + 895
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: now))
    monkeypatch.setattr(timezone, "now", lambda: datetime.fromtimestamp(now, tz=UTC))
    secret = add_factor(make_user())
    code = compute_code(secret, now=now + 30 * ahead)
    client.post("/login/", NAME)
    client.post(f"{PAGE}authenticate/", {"code": code})
    assert is_in(client)
    caches["default"].clear()

    now += 30
    other = Client()
    other.post("/login/", NAME)
    other.post(f"{PAGE}authenticate/", {"code": code})

    assert not is_in(other)


@pytest.mark.django_db
def test_used_code_does_not_let_in_in_another_writing_either(client, monkeypatch):
    now = 1_800_000_000.0
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: now))
    secret = add_factor(make_user())
    code = compute_code(secret, now=now)
    client.post("/login/", NAME)
    client.post(f"{PAGE}authenticate/", {"code": code})
    assert is_in(client)
    # What allauth itself keeps, it keeps for one period in a cache.
    caches["default"].clear()

    other = Client()
    other.post("/login/", NAME)
    other.post(f"{PAGE}authenticate/", {"code": f"{code[:3]} {code[3:]}"})

    assert not is_in(other)


@pytest.mark.django_db(transaction=True)
def test_one_code_lets_in_one_of_many_who_send_it_at_once():
    secret = add_factor(make_user())
    visitors = [Client() for _ in range(6)]
    for visitor in visitors:
        visitor.post("/login/", NAME)
    code, begin = compute_code(secret, now=time.time()), Barrier(len(visitors))

    def send(visitor):
        try:
            begin.wait()
            visitor.post(f"{PAGE}authenticate/", {"code": code})
            return is_in(visitor)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(visitors)) as threads:
        assert sum(threads.map(send, visitors)) <= 1


@pytest.mark.django_db
def test_guesses_have_a_limit_that_a_new_log_in_does_not_lift(settings):
    settings.ACCORDANCE_FAILED_LOGINS = 3
    settings.ACCOUNT_RATE_LIMITS = False
    secret = add_factor(make_user())
    for _ in range(3):
        visitor = Client()
        visitor.post("/login/", NAME)
        visitor.post(f"{PAGE}authenticate/", {"code": "12345"})

    visitor = Client()
    visitor.post("/login/", NAME)
    answer = visitor.post(f"{PAGE}authenticate/", {"code": compute_code(secret, now=time.time())})

    assert "Too many failed login attempts" in answer.content.decode()
    assert not is_in(visitor)


def test_text_encrypted_with_an_earlier_secret_key_is_decrypted(settings):
    closed = SecondFactorAdapter().encrypt("text")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]

    assert SecondFactorAdapter().decrypt(closed) == "text"
    assert "text" not in closed
