"""Tests that the schema describes the API of challenges, and that nothing that can be sent breaks the server."""

import pytest
import schemathesis
from hypothesis import given
from hypothesis.errors import Unsatisfiable
from schemathesis.config import SchemathesisConfig
from schemathesis.generation import GenerationMode

from config.wsgi import application
from tests.challenges.api.programs import make_program
from tests.challenges.people import make_arena
from tests.studies.api.test_schema import EXAMPLES, list_bodies, send

PREFIX = "/api/v1/challenges/"


@pytest.mark.django_db
def test_every_body_has_an_example_that_is_taken(arena):
    program = make_program(arena.team)
    bodies = [(path, method, body["examples"]) for path, method, body in list_bodies(PREFIX) if "examples" in body]

    answers = {
        path: send(program, method, path.format(slug="captions", phase="test"), example["value"])
        for path, method, examples in bodies
        for example in examples.values()
    }

    assert answers == {f"{PREFIX}{{slug}}/phases/{{phase}}/uploads/": 201}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("person", ["member", "anonymous"])
def test_nothing_that_can_be_sent_breaks_the_server(settings, tmp_path, person):
    settings.MEDIA_ROOT = tmp_path
    settings.ACCORDANCE_API_PER_MINUTE = 0
    arena = make_arena()
    program = make_program(arena.team)
    headers = {"Authorization": program.defaults["HTTP_AUTHORIZATION"]} if person == "member" else {}
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application, config=SchemathesisConfig())
    known = {"slug": "captions", "phase": "test", "token": arena.scored.token}
    broken, seen = [], set()
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path.startswith(PREFIX):
            _fuzz(operation, headers, known, broken, seen)

    assert broken == []
    assert {200, 400, 404} <= seen


def _fuzz(operation, headers, known, broken, seen):
    """Send what the schema allows and what it does not, the same each time."""
    # Else every address would be of a challenge that is not there.
    given_path = {name: value for name, value in known.items() if f"{{{name}}}" in operation.path}
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @EXAMPLES
        @given(case=operation.as_strategy(mode, path_parameters=given_path or None))
        def send_case(case):
            response = case.call(headers=headers)
            seen.add(response.status_code)
            if response.status_code >= 500:
                broken.append(f"{response.status_code} {case.as_curl_command()}")

        try:
            send_case()
        except Unsatisfiable:
            # A route that takes nothing cannot be given anything wrong.
            assert mode is GenerationMode.NEGATIVE
