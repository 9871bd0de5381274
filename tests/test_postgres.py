"""Tests that the cluster of database tests is a real server."""

import psycopg
import pytest


@pytest.mark.postgres
def test_cluster_answers(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        row = connection.execute("select 1, current_setting('server_encoding')").fetchone()

    assert row == (1, "UTF8")
