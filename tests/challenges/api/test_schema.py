"""Tests that the schema describes the API of challenges, and that nothing that can be sent breaks the server."""

import pytest

from studies.models import Dataset
from tests.challenges.api.programs import make_host_program, make_program
from tests.challenges.api.test_access import own_dataset
from tests.challenges.people import make_arena
from tests.studies.api.drawn_requests import send_all
from tests.studies.api.test_schema import list_bodies, send

PREFIX = "/api/v1/challenges/"


@pytest.mark.django_db
def test_every_body_has_an_example_that_is_taken():
    # Not the arena that the tests of a module share: another test here is transactional.
    arena = make_arena()
    Dataset.objects.filter(pk=arena.challenge.dataset_id).update(name="photos")
    own_dataset(arena)
    team, host = make_program(arena.team), make_host_program(arena.people["owner"])
    known = {"slug": "captions", "phase": "test", "token": arena.scored.token, "team": arena.team.pk}
    bodies = [(path, method, body["examples"]) for path, method, body in list_bodies(PREFIX) if "examples" in body]

    answers = {
        path.removeprefix(PREFIX): send(
            team if path.endswith("/uploads/") else host, method, path.format(**known), example["value"]
        )
        for path, method, examples in bodies
        for example in examples.values()
    }

    assert answers == {
        "": 201,
        "{slug}/phases/{phase}/uploads/": 201,
        "{slug}/phases/{phase}/baselines/": 202,
        "{slug}/phases/{phase}/extend/": 200,
        "{slug}/phases/{phase}/score-again/": 202,
        "{slug}/submissions/{token}/disqualify/": 200,
        "{slug}/submissions/{token}/reinstate/": 200,
        "{slug}/host/close/": 200,
        "{slug}/host/copy/": 201,
        "{slug}/host/teams/{team}/limit/": 200,
    }


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("person", ["member", "host", "anonymous"])
def test_nothing_that_can_be_sent_breaks_the_server(settings, person):
    settings.ACCORDANCE_API_PER_MINUTE = 0
    arena = make_arena()
    own_dataset(arena)
    programs = {"member": make_program(arena.team), "host": make_host_program(arena.people["owner"])}
    headers = {"Authorization": programs[person].defaults["HTTP_AUTHORIZATION"]} if person in programs else {}
    known = {"slug": "captions", "phase": "test", "token": arena.scored.token, "team": arena.team.pk}
    broken, seen = send_all(known, prefix=PREFIX, headers=headers)

    assert broken == []
    assert {200, 400, 404} <= seen
