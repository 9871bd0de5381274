"""Tests of the production settings, with which Django reports no warnings."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _run(tmp_path, *command, **environment):
    known = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    settings = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ACCORDANCE_VAR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3",
    }
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**known, **settings, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_nothing_is_to_be_warned_of_in_production(tmp_path):
    code, said = _run(
        tmp_path,
        *("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        HTTPS="true",
        ALLOWED_HOSTS="study.example.org",
        CSRF_TRUSTED_ORIGINS="https://study.example.org",
        ACCORDANCE_IDENTITY_KEY=secrets.token_urlsafe(48),
        ACCORDANCE_ERASURES=str(tmp_path / "erasures.jsonl"),
        EMAIL_URL="smtp+tls://user:password@mail.example.org:587",
        DEFAULT_FROM_EMAIL="accordance@study.example.org",
    )

    assert (code, said.splitlines()[-1]) == (0, "System check identified no issues (2 silenced).")


def test_without_https_django_warns(tmp_path):
    code, said = _run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING")

    assert code == 1
    assert "security.W004" in said
    assert "security.W012" in said


def test_what_accounts_lack_is_said(tmp_path):
    _, without = _run(tmp_path, "manage.py", "check", "--deploy", ACCORDANCE_SIGN_UP="open")
    _, half = _run(
        tmp_path,
        *("manage.py", "check", "--deploy"),
        EMAIL_URL="smtp://mail.example.org",
        ACCORDANCE_OIDC_SERVER="http://login.example.org",
        ACCORDANCE_OIDC_CLIENT_ID="accordance",
    )

    found = [re.findall(r"accordance\.W01\d", said) for said in (without, half)]
    assert found == [["accordance.W011", "accordance.W015"], ["accordance.W012", "accordance.W013", "accordance.W014"]]
    assert "ACCORDANCE_OIDC_SECRET is not set" in half


ASK = """
import django; django.setup()
from django.test import Client
plain, safe = Client(), Client(headers={"x-forwarded-proto": "https"})
answer = plain.get("/login/", headers={"host": "study.example.org"})
print(answer.status_code, answer["Location"])
answer = safe.get("/favicon.ico", headers={"host": "study.example.org"})
print(answer.status_code, answer["Strict-Transport-Security"])
"""


def test_requests_without_tls_are_redirected_to_https(tmp_path):
    code, said = _run(tmp_path, "-c", ASK, HTTPS="true", ALLOWED_HOSTS="study.example.org")

    assert (code, said.splitlines()) == (0, ["301 https://study.example.org/login/", "302 max-age=31536000"])


def test_an_error_is_written_where_a_service_keeps_its_log(tmp_path):
    broken = """
import django; django.setup()
from django.test import Client, override_settings
from django.urls import path
def fail(request): raise ZeroDivisionError("of a page")
urlpatterns = [path("", fail)]
handler500 = lambda request: __import__("django.http").http.HttpResponse("sorry", status=500)
with override_settings(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], MIDDLEWARE=[]):
    print(Client(raise_request_exception=False).get("/").status_code)
"""
    code, said = _run(tmp_path, "-c", broken)

    assert (code, said.splitlines()[0]) == (0, "500")
    assert " ERROR django.request: Internal Server Error: /" in said
    assert "ZeroDivisionError: of a page" in said
