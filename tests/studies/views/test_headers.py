"""Tests of security headers on every page and API route, on errors, raters' pages and the admin."""

import pytest
from django.urls import reverse

from annotation_ui.urls import urlpatterns as rater_patterns
from config.headers import PERMISSIONS_POLICY
from studies.models import Study
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_user
from tests.studies.api_endpoints import API
from tests.studies.page_rights import PAGES, fill, make_address
from tests.studies.people import make_people
from tests.studies.scored import list_items, make_scored_study
from tests.studies.views.test_permissions import list_admin_addresses

EXPECTED = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": PERMISSIONS_POLICY,
}
POLICY = {
    "default-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
}


def find_lacking(response) -> dict[str, str]:
    """Return what a response has otherwise than it should."""
    policy = dict(part.strip().split(" ", 1) for part in response.get("Content-Security-Policy", "").split(";") if part)
    lacking = {name: response.get(name, "") for name, value in EXPECTED.items() if response.get(name) != value}
    if response.get("Referrer-Policy") not in ("same-origin", "no-referrer"):
        lacking["Referrer-Policy"] = response.get("Referrer-Policy", "")
    lacking |= {name: policy.get(name, "") for name, value in POLICY.items() if policy.get(name) != value}
    for source, allowed in policy.items():
        if "'unsafe-inline'" in allowed or "'unsafe-eval'" in allowed or "http" in allowed or "*" in allowed:
            lacking[source] = allowed
    return lacking


@pytest.fixture
def study(picture):
    study = make_scored_study(owner=make_user("owner"))
    list_items(study)[0].image.file.save("picture.png", picture)
    return study


def _ask_all(client, study, accesses):
    for name, access in accesses.items():
        address = make_address(name.partition(" ")[0], access, study)
        sent = {"content_type": "application/json"} if address.startswith("/api/") and access.method != "get" else {}
        response = getattr(client, access.method)(address, fill(access.data, study), **sent)
        if response.streaming:
            list(response)
        yield name, response


@pytest.mark.django_db
def test_headers_of_every_page_that_is_looked_at(client, study):
    make_people(study)
    client.force_login(study.owner)
    accesses = {name: access for name, access in (PAGES | API).items() if access.method == "get"}

    lacking = {name: find_lacking(response) for name, response in _ask_all(client, study, accesses)}

    assert {name: what for name, what in lacking.items() if what} == {}


@pytest.mark.django_db
def test_headers_of_every_refusal(client, study):
    make_people(study)

    lacking = {name: find_lacking(response) for name, response in _ask_all(client, study, PAGES | API)}
    lacking["nowhere"] = find_lacking(client.get("/nowhere/"))

    assert {name: what for name, what in lacking.items() if what} == {}


@pytest.mark.django_db
def test_headers_of_the_admin(client, study):
    client.force_login(make_user("operator", is_superuser=True, is_staff=True))

    lacking = {address: find_lacking(client.get(address)) for address in list_admin_addresses()}

    assert {name: what for name, what in lacking.items() if what} == {}


@pytest.mark.django_db
def test_headers_of_raters_pages(client):
    study = Study.objects.get(pk=make_open_study().pk)
    arguments = {"join_token": study.join_token, "pk": 1, "name": "x", "signed": "x"}

    lacking = {}
    for pattern in rater_patterns:
        wanted = {key: value for key, value in arguments.items() if f":{key}>" in str(pattern.pattern)}
        address = reverse(f"annotation_ui:{pattern.name}", kwargs=wanted)
        for method in ("get", "post"):
            lacking[f"{method} {pattern.name}"] = find_lacking(getattr(client, method)(address))
            # Of raters' pages the policy alone says who may frame them: some panels may.
            lacking[f"{method} {pattern.name}"].pop("X-Frame-Options", None)

    assert {name: what for name, what in lacking.items() if what} == {}
