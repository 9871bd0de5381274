"""Tests of forms that are sent after the session has ended: their text is shown after the log-in, to be sent again."""

import re
from html import unescape

import pytest
from django.test import Client

from studies.models import Comment
from tests.factories.studies import make_study, make_user
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db
BROWSER = {"accept": "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate"}
TEXT = "Two lines\nof a comment, “quoted” & <b>."


@pytest.fixture
def address() -> str:
    (item, *_) = list_items(make_study(owner=make_user("owner")))
    return f"/studies/study/items/{item.pk}/comment/"


def _read_fields(page: str) -> dict[str, str]:
    inputs = re.findall('<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
    areas = re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', page, flags=re.DOTALL)
    return {name: unescape(value) for name, value in [*inputs, *areas]}


def _log_in(client, page: str):
    return client.post("/login/", {**_read_fields(page), "username": "owner", "password": "owner"}, headers=BROWSER)


def test_text_is_shown_after_the_log_in_and_sent_again(client, address: str) -> None:
    asked = client.post(address, {"text": TEXT}, headers=BROWSER)
    page = asked.content.decode()
    wrong = client.post("/login/", {**_read_fields(page), "username": "owner", "password": "no"}, headers=BROWSER)
    led = _log_in(client, wrong.content.decode())
    shown = client.get(led.url).content.decode()
    n_before = Comment.objects.count()

    client.post(address, _read_fields(shown))

    assert client.get(led.url).status_code == 302
    assert (asked.status_code, n_before, led.url) == (401, 0, "/account/send-again/")
    assert "What you sent was not saved" in page
    assert f'action="{address}"' in shown
    assert Comment.objects.get().text == TEXT


def test_scripts_are_led_to_the_log_in(client, address: str) -> None:
    response = client.post(address, {"text": TEXT}, headers={"accept": "*/*", "sec-fetch-mode": "cors"})

    assert (response.status_code, response.url) == (302, f"/login/?next={address}")


def test_form_without_its_token_is_refused_as_before(address: str) -> None:
    assert Client(enforce_csrf_checks=True).post(address, {"text": TEXT}, headers=BROWSER).status_code == 403


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("/studies/new/", {"name": "mine"}),
        ("/account/password/change/", {"oldpassword": "secret"}),
        ("/studies/study/open/", {}),
        ("/studies/study/people/add/", {"username": "ann", "kept_in_tab": "1"}),
        ("/studies/study/people/add/", {"username": "x" * 300_000}),
    ],
)
def test_what_cannot_or_must_not_be_kept_leads_to_the_log_in(client, address: str, path: str, given: dict) -> None:
    response = client.post(path, given, headers=BROWSER)

    assert response.status_code == 302
    assert response.url.startswith("/login/?next=")


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"address": "https://evil.example/", "fields": []}', '{"fields": 3}'])
def test_what_leads_elsewhere_is_not_shown(client, address: str, kept: str) -> None:
    given = {"kept_form": kept, "next": "/account/send-again/", "username": "owner", "password": "owner"}
    led = client.post("/login/", given)

    assert client.get(led.url).url == "/studies/"


def test_form_that_is_refused_again_is_still_kept(client, address: str) -> None:
    led = _log_in(client, client.post(address, {"text": TEXT}, headers=BROWSER).content.decode())

    assert client.post(address, {"text": ""}).status_code == 422
    assert TEXT.partition("\n")[0] in client.get(led.url).content.decode()


def test_kept_form_can_be_discarded(client, address: str) -> None:
    led = _log_in(client, client.post(address, {"text": TEXT}, headers=BROWSER).content.decode())

    client.post(led.url)

    assert client.get(led.url).status_code == 302
