"""Wrong passwords have a limit, on both login pages."""

import pytest

from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
TOO_MANY = "There were too many attempts with a wrong password"


@pytest.fixture(autouse=True)
def _limit(settings):
    settings.ACCORDANCE_FAILED_LOGINS = 3


def _log_in(client, page, password, *, name="owner", address="10.0.0.1"):
    response = client.post(page, {"username": name, "password": password}, REMOTE_ADDR=address)
    return response.status_code, TOO_MANY in response.content.decode()


@pytest.mark.parametrize("page", ["/login/", "/admin/login/"])
def test_right_password_is_not_looked_at_after_too_many_wrong_ones(client, page):
    make_user(is_staff=True)

    wrong = [_log_in(client, page, "guess") for _ in range(4)]
    right = _log_in(client, page, "owner", name="OWNER"), _log_in(client, page, "owner")
    elsewhere = _log_in(client, page, "owner", address="10.0.0.2")

    assert wrong == [(200, False)] * 3 + [(200, True)]
    assert right == ((200, True),) * 2
    # Nobody is locked out by what another address tries.
    assert elsewhere == (302, False)


def test_right_passwords_are_not_counted(client):
    make_user()

    assert [_log_in(client, "/login/", "owner") for _ in range(5)] == [(302, False)] * 5
