"""Tests that NUL in an address, a cookie or a form is rejected with status 400."""

import pytest
from django.contrib import admin

from tests.factories.studies import make_user
from tests.studies.page_rights import PAGES, make_address
from tests.studies.people import make_people
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client):
    client.raise_request_exception = False
    client.force_login(make_user("root", is_superuser=True, is_staff=True))
    return client


def test_addresses_with_nul_are_refused(root):
    study = make_scored_study(owner=make_user("owner"))
    make_people(study)
    addresses = [make_address(name, access, study).partition("?")[0] for name, access in PAGES.items()]

    answers = {}
    for address in addresses:
        for bad in (f"{address.rstrip('/')}%00/", f"%00{address}", f"{address}?page=%00", f"{address}?%00=1"):
            answers[bad] = root.get(bad if bad.startswith("/") else f"/{bad}").status_code

    assert {bad: status for bad, status in answers.items() if status not in (400, 404)} == {}


def test_filters_of_the_admin_refuse_nul(root):
    answers = {}
    for model in admin.site._registry:
        options = model._meta
        for field in options.fields:
            address = f"/admin/{options.app_label}/{options.model_name}/?{field.name}__exact=%00"
            answers[address] = root.get(address).status_code

    assert len(answers) > 100
    assert set(answers.values()) == {400}


@pytest.mark.parametrize("page", ["/login/", "/studies/study/people/add/"])
def test_forms_refuse_nul(root, page):
    make_scored_study(owner=make_user("owner"))

    assert root.post(page, {"username": "a\0b", "password": "x"}).status_code == 400
    assert root.post(page, {"user\0name": "a", "password": "x"}).status_code == 400


def test_cookies_with_nul_are_refused(client):
    client.raise_request_exception = False
    client.cookies.load('sessionid="a\\000b"')

    assert client.get("/login/").status_code == 400
