"""Installations with separate databases on SQLite and PostgreSQL, in which commands are run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.studies.management.commands.processes import make_environment


def make_own_environment(folder: Path, **changes: str) -> dict[str, str]:
    """Return the environment of an installation on SQLite that keeps everything in a folder."""
    return make_environment(folder, HOME=str(folder), DJANGO_SETTINGS_MODULE="config.settings", **changes)


@contextmanager
def make_database(server: str, name: str) -> Iterator[str]:
    """Create an empty database on a PostgreSQL server, and yield its URL; drop it afterwards."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
