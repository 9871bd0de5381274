"""Programs are told in their own form that an address leads nowhere or that something broke, people by a page."""

import pytest

from studies.api.lost import answer_broken


@pytest.mark.parametrize("address", ["/api/v1/nothing/", "/api/v2/studies/", "/api/v1/studies/a b/"])
def test_programs_get_a_problem_object(client, address):
    answer = client.get(address)

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no such route; /api/v1/ lists those that there are.",
    }


def test_people_get_a_page(client, rf):
    assert client.get("/nothing/")["Content-Type"].startswith("text/html")
    assert answer_broken(rf.get("/studies/")).content.startswith(b"<!doctype html>")


def test_an_error_of_ours_is_a_problem_object_too(rf):
    answer = answer_broken(rf.get("/api/v1/studies/"))

    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
