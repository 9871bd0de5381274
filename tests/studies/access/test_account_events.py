"""Tests that logins, logouts and failed logins are recorded without personal data."""

import pytest

from studies.access.account_events import MOST_FAILURES
from studies.models import AuditEntry
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"


@pytest.fixture
def anna():
    user = make_user("anna")
    user.set_password(PASSWORD)
    user.save()
    return user


def _log_in(client, username="anna", password=PASSWORD):
    return client.post("/login/", {"username": username, "password": password})


def _list_events() -> list[tuple[str, str, dict]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "details"))


@pytest.mark.usefixtures("anna")
def test_coming_and_going_are_events(client) -> None:
    _log_in(client)
    client.post("/logout/")

    assert _list_events() == [
        ("logged_in", "anna", {"page": "/login/"}),
        ("logged_out", "anna", {"page": "/logout/"}),
    ]
    assert set(AuditEntry.objects.values_list("interface", "study", "study_name")) == {("page", None, "")}


@pytest.mark.usefixtures("anna")
def test_failure_names_an_account_of_ours_and_never_what_was_typed(client) -> None:
    _log_in(client, password="wrong")
    _log_in(client, username="my secret password")

    assert _list_events() == [
        ("login_failed", "", {"page": "/login/", "account": "anna"}),
        ("login_failed", "", {"page": "/login/", "account": ""}),
    ]


def test_flood_of_failures_does_not_fill_the_table(rf, settings) -> None:
    settings.ACCORDANCE_FAILED_LOGINS = 0
    from django.contrib.auth import authenticate

    for number in range(MOST_FAILURES + 5):
        authenticate(rf.post("/login/"), username=f"nobody-{number}", password="wrong")

    assert AuditEntry.objects.filter(action="login_failed").count() <= 2 * MOST_FAILURES
    assert AuditEntry.objects.filter(action="login_failed").count() < MOST_FAILURES + 5
