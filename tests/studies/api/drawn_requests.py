"""Requests drawn from the schema of the API, which several people send in turn: to draw them takes most of the time."""

import copy
import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from unittest.mock import patch

import schemathesis
from django.db import connection
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case
from schemathesis.config import SchemathesisConfig
from schemathesis.core import NOT_SET
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation

from config.wsgi import application

# How many a route gets of each kind; more find more, and take longer: ten take a few minutes.
N_EXAMPLES = int(os.environ.get("ACCORDANCE_FUZZ_EXAMPLES", "10"))
EXAMPLES = settings(
    max_examples=N_EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def send_all(known: Mapping[str, object], *, prefix: str = "/", **login: Any) -> tuple[list[str], set[int]]:
    """Send what the schema allows and what it does not, the same each time, to the routes below an address.

    `known` has values for parts of addresses: else every address would be of a thing that is not there. Returns the
    commands that repeat what broke the server, and all status codes.
    """
    broken, seen = [], set()
    for drawn in _draw_cases(prefix, frozenset(known)):
        case = _copy(drawn)
        for name in case.path_parameters.keys() & known.keys():
            case.path_parameters[name] = known[name]
        # To open SQLite's file for each request would take a tenth of the time.
        with patch.dict(connection.settings_dict, CONN_MAX_AGE=None):
            response = case.call(**login)
        seen.add(response.status_code)
        if response.status_code >= 500:
            broken.append(f"{response.status_code} {case.as_curl_command()}")
    return broken, seen


def _copy(drawn: Case) -> Case:
    """Return a case to be sent, which changes it."""
    parts = ("path_parameters", "headers", "cookies", "query", "body", "media_type", "multipart_content_types", "_meta")
    copied = {name: copy.deepcopy(getattr(drawn, name), {id(NOT_SET): NOT_SET}) for name in parts}
    return drawn.operation.Case(method=drawn.method, **copied)


@cache
def _draw_cases(prefix: str, known: frozenset[str]) -> tuple[Case, ...]:
    operations = [operation for operation in _load_operations() if operation.path.startswith(prefix)]
    return tuple(case for operation in operations for case in _draw_cases_of(operation, known))


@cache
def _load_operations() -> tuple[APIOperation, ...]:
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application, config=SchemathesisConfig())
    return tuple(result.ok() for result in schema.get_all_operations())


def _draw_cases_of(operation: APIOperation, known: frozenset[str]) -> Iterator[Case]:
    placeholders = {name: name for name in known if f"{{{name}}}" in operation.path}
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
        try:
            yield from _draw_all(operation.as_strategy(mode, path_parameters=placeholders or None))
        except Unsatisfiable:
            # A route that takes nothing cannot be given anything wrong.
            assert mode is GenerationMode.NEGATIVE


def _draw_all(strategy: SearchStrategy[Case]) -> list[Case]:
    drawn: list[Case] = []

    @EXAMPLES
    @given(case=strategy)
    def draw(case: Case) -> None:
        drawn.append(case)

    draw()
    return drawn
