"""Tests of unknown addresses and internal errors: JSON for programs, pages for people."""

import json

import pytest
from django.urls import clear_script_prefix

from config.wsgi import application
from studies.api.lost import answer_broken


@pytest.mark.parametrize("address", ["/api/v1/nothing/", "/api/v2/studies/", "/api/v1/studies/a b/"])
def test_programs_get_json_errors(client, address):
    answer = client.get(address)

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no such route; /api/v1/ lists all routes.",
    }


@pytest.fixture(params=["server", "setting"])
def behind_prefix(request, settings):
    """What a request brings to a service that stands at /captions, as its server or a setting tells."""
    if request.param == "setting":
        settings.FORCE_SCRIPT_NAME = "/captions"
    yield {"SCRIPT_NAME": "/captions"} if request.param == "server" else {}
    clear_script_prefix()


@pytest.mark.django_db  # A request closes connections that have grown old, where there is one.
def test_programs_are_known_behind_a_prefix_too(rf, behind_prefix):
    environ = rf.get("/api/v1/nothing/", **behind_prefix).environ
    started = []

    # As a server calls it: the client of tests does not tell the prefix to who writes addresses.
    (body,) = application(environ, lambda status, headers: started.append((status, dict(headers))))
    broken = answer_broken(rf.get("/api/v1/studies/", **behind_prefix))

    ((status, headers),) = started
    assert (status, headers["Content-Type"]) == ("404 Not Found", "application/problem+json")
    assert json.loads(body)["detail"] == "There is no such route; /captions/api/v1/ lists all routes."
    assert (broken.status_code, broken["Content-Type"]) == (500, "application/problem+json")


def test_pages_below_a_script_name_api_get_html_errors(client):
    assert client.get("/nothing/", SCRIPT_NAME="/api")["Content-Type"].startswith("text/html")


def test_people_get_html_errors(client, rf):
    assert client.get("/nothing/")["Content-Type"].startswith("text/html")
    assert answer_broken(rf.get("/studies/")).content.startswith(b"<!doctype html>")


def test_an_error_of_ours_is_a_problem_object_too(rf):
    answer = answer_broken(rf.get("/api/v1/studies/"))

    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
