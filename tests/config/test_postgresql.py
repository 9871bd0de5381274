"""Tests that an idle connection to PostgreSQL needs no round trip, and that a closed one is replaced."""

import socket
from collections.abc import Iterator

import psycopg
import pytest
from django.db import connections
from django.db.utils import load_backend

from config.postgresql.base import has_something_to_read


@pytest.fixture
def wrapper(postgres_url: str, django_db_blocker) -> Iterator[object]:
    """Django's view of a running server, which checks connections between requests."""
    found = psycopg.conninfo.conninfo_to_dict(postgres_url)
    settings = connections["default"].settings_dict | {
        "ENGINE": "config.postgresql",
        "NAME": found["dbname"],
        "USER": found.get("user", ""),
        "PASSWORD": found.get("password", ""),
        "HOST": found["host"],
        "PORT": found.get("port", ""),
        "OPTIONS": {},
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }
    wrapper = load_backend("config.postgresql").DatabaseWrapper(settings, alias="looked-at")
    wrapper.inc_thread_sharing()
    with django_db_blocker.unblock():
        yield wrapper
    wrapper.close()


def _begin_request(wrapper) -> None:
    wrapper.close_if_unusable_or_obsolete()


def _ask(wrapper, statement: str) -> object:
    with wrapper.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_sound_connection_is_asked_nothing(wrapper, postgres_url: str) -> None:
    session = _ask(wrapper, "SELECT pg_backend_pid()")
    with psycopg.connect(postgres_url, autocommit=True) as other:

        def look() -> object:
            return other.execute("SELECT query, query_start FROM pg_stat_activity WHERE pid = %s", [session]).fetchone()

        before = look()
        _begin_request(wrapper)

        assert before[0] == "SELECT pg_backend_pid()"
        assert look() == before
    assert _ask(wrapper, "SELECT pg_backend_pid()") == session


def test_connection_that_the_server_ended_is_replaced(wrapper, postgres_url: str) -> None:
    session = _ask(wrapper, "SELECT pg_backend_pid()")
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [session])

    _begin_request(wrapper)

    assert _ask(wrapper, "SELECT pg_backend_pid()") != session


def test_what_a_socket_holds_is_seen_without_waiting() -> None:
    near, far = socket.socketpair()
    with near, far:
        assert not has_something_to_read(near.fileno())
        far.send(b"x")
        assert has_something_to_read(near.fileno())
        near.recv(1)
        far.close()
        assert has_something_to_read(near.fileno())
