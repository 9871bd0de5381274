"""Tests of several workers on PostgreSQL: every job runs once and ends, in spite of locks and lost connections."""

import secrets

import psycopg
import pytest

from tests.jobs.worker.test_dispatching import ASK, RUN, TELL, read_pid, run_program, start_program
from tests.studies.management.commands.processes import make_environment, run
from tests.studies.management.test_supervising import wait_for

pytestmark = pytest.mark.slow

ACCOUNTS = """
from django.contrib.auth import get_user_model
from jobs.registry import find_kind
for name, n_jobs in PLAN:
    user = get_user_model().objects.create_user(name)
    for number in range(n_jobs):
        payload = {"do": f"{name}-{number}", "folder": FOLDER}
        request_job(find_kind("one"), account=user, now=timezone.now(), payload=payload)
"""
ORDER = """
done = Job.objects.order_by("started_at").values_list("account__username", flat=True)
print(json.dumps(list(done)))
"""


@pytest.fixture(scope="module")
def environment(postgres_url, tmp_path_factory):
    name = f"jobs_{secrets.token_hex(4)}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = postgres_url.rpartition("/")[0] + f"/{name}"
    made = make_environment(tmp_path_factory.mktemp("jobs"), DATABASE_URL=url)
    run("migrate", "--verbosity", "0", environment=made)
    yield made
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(autouse=True)
def _without_jobs(environment):
    with connect(environment) as connection:
        connection.execute("TRUNCATE jobs_job CASCADE")


def connect(environment):
    return psycopg.connect(environment["DATABASE_URL"], autocommit=True)


def test_many_workers_run_each_job_once_in_a_fair_order(tmp_path, environment):
    plan = [("many", 9), ("few", 3)]
    run_program(ACCOUNTS, TELL, folder=tmp_path, plan=plan, environment=environment)

    workers = [start_program(RUN, folder=tmp_path, environment=environment) for _ in range(3)]
    assert [worker.wait() for worker in workers] == [0, 0, 0]

    jobs = run_program(TELL, folder=tmp_path, environment=environment)["jobs"]
    assert [job[1:5] for job in jobs] == [["done", 1, "", ["done"]]] * 12
    # Whoever asked for few waits for one job of each worker at most, and not for all that somebody asked for before.
    order = run_program(ORDER, folder=tmp_path, environment=environment)
    assert "few" in order[: len(workers) + 1]
    assert order[-2:] == ["many"] * 2


def test_a_locked_row_stops_no_other_job(tmp_path, environment):
    """The work holds its own row in a long transaction; its time is up all the same, and other lanes go on."""
    with (
        connect(environment) as locking,
        start_program(
            ASK, RUN, folder=tmp_path, plan=[("one", "sleep")], seconds=4.0, batch=False, environment=environment
        ) as worker,
    ):
        wait_for(lambda: read_pid(tmp_path / "sleep-1"))
        with locking.transaction():
            locking.execute("SELECT 1 FROM jobs_job FOR UPDATE")
            run_program(ASK, TELL, folder=tmp_path, plan=[("two", "count")], environment=environment)
            assert wait_for(lambda: read_pid(tmp_path / "count-1"), seconds=10)
            sleep, _ = run_program(TELL, folder=tmp_path, environment=environment)["jobs"]
            assert sleep[1] == "running"

        def tell():
            return [job[1] for job in run_program(TELL, folder=tmp_path, environment=environment)["jobs"]]

        assert wait_for(lambda: tell() == ["failed", "done"], seconds=20)
        assert worker.poll() is None
        worker.terminate()


def test_a_lost_connection_is_made_anew(tmp_path, environment):
    with start_program(RUN, folder=tmp_path, batch=False, environment=environment) as worker:
        for what in ("before", "after"):
            run_program(ASK, TELL, folder=tmp_path, plan=[("one", what)], environment=environment)
            assert wait_for(lambda what=what: read_pid(tmp_path / f"{what}-1"), seconds=20)
            with connect(environment) as connection:
                ended = connection.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                ).fetchone()
            assert ended[0] >= 1
        assert worker.poll() is None
        worker.terminate()
