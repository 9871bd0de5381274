"""Workers are killed while twenty teams submit: everything ends, is counted once, and the board is the computed one."""

import json

import pytest

from tests.challenges.killing import IN_ALL, N_EACH, N_KILLS, N_TEAMS
from tests.studies.installations import make_database, make_own_environment
from tests.studies.management.commands.processes import call, migrate

pytestmark = pytest.mark.slow
PROGRAM = "from tests.challenges.killing import run_chaos; run_chaos(0)"


def test_killed_workers_lose_no_submission_on_sqlite(tmp_path):
    check(make_own_environment(tmp_path))


@pytest.mark.postgres
def test_killed_workers_lose_no_submission_on_postgresql(tmp_path, postgres_url):
    with make_database(postgres_url, "killed_workers") as url:
        check(make_own_environment(tmp_path, DATABASE_URL=url))


def check(environment):
    migrate(environment)
    (line,) = call(PROGRAM, environment=environment)
    told = json.loads(line)

    assert told["made"] + told["refused"] == N_TEAMS * N_EACH
    assert sum(told["kills"].values()) == N_KILLS
    assert min(told["kills"].values()) > 0
    # They were killed at work.
    assert told["n_lost"] > 0
    assert sum(told["states"].values()) == told["made"]
    assert set(told["states"]) <= {"scored", "failed", "cancelled"}
    assert told["unended"] == told["misscored"] == []
    assert {name for name, (said, plain) in told["counted"].items() if said != plain} == set()
    assert told["left"] == {name: [IN_ALL - made] * 2 for name, (made, _) in told["counted"].items()}
    assert len(told["board"]) == N_TEAMS
    assert told["board"] == told["plain_board"]
