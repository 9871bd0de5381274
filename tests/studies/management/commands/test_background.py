"""Tests of background workers that are killed or stopped while they work."""

import os
import signal
import sqlite3
import time

import pytest

from tests.plugins.installing import installed_hostile_plugins  # noqa: F401 - a fixture
from tests.running_processes import is_running
from tests.studies.management.commands.processes import list_children, make_environment, migrate, run, start
from tests.studies.management.test_supervising import wait_for

pytestmark = pytest.mark.slow

ASK = """
from django.utils import timezone
from studies.access.audit import COMMAND_LINE
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.requests import request_scoring
from studies.models import Study
from tests.studies.scored import make_scored_study
study = make_scored_study(score=False)
asked = {"metrics": ["length", "loops-forever"], "catalog": load_catalog()}
request_scoring(study, **asked, actor=COMMAND_LINE, now=timezone.now())
"""


def list_descendants(pid):
    children = list_children(pid)
    return children | {each for child in children for each in list_descendants(child)}


def tell(database):
    """Return the state of the request, of each of its metrics, and the runs."""
    ((state,),) = database.execute("select state from studies_scoringrequest")
    metrics = database.execute("select metric, state, message from studies_requestedmetric")
    runs = database.execute("select metric, seconds from studies_run")
    return state, {metric: told for metric, *told in metrics}, list(runs)


def test_a_run_of_a_killed_worker_is_taken_up_where_it_was(tmp_path, installed_hostile_plugins):  # noqa: F811
    environment = make_environment(tmp_path, PYTHONPATH=str(installed_hostile_plugins), ACCORDANCE_METRIC_SECONDS="600")
    migrate(environment)
    run("shell", "--verbosity", "0", "--command", ASK, environment=environment)

    with start("background", environment=environment) as worker:
        database = sqlite3.connect(tmp_path / "db.sqlite3", timeout=60)
        begun = "select count(*) from studies_run where metric = 'loops-forever'"
        assert wait_for(lambda: database.execute(begun).fetchone()[0])
        time.sleep(1)
        children = list_descendants(worker.pid)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        assert children
        assert wait_for(lambda: not any(is_running(child) for child in children))
    before = tell(database)
    # Its heart stands still; here half a minute goes by at once.
    database.execute("update jobs_job set heartbeat = '2025-01-01'")
    database.commit()
    run("background", "--batch", environment={**environment, "ACCORDANCE_METRIC_SECONDS": "2"})

    assert (before[0], before[1]["length"]) == ("running", ["finished", ""])
    assert tell(database) == (
        "finished",
        {
            "length": ["finished", ""],
            "loops-forever": ["failed", "it took longer than the 2 s allowed and was ended"],
        },
        before[2],
    )


ASK_FOR_REPORT = """
from django.utils import timezone
from studies.access.audit import COMMAND_LINE
from studies.publishing.report_jobs import ReportChoices, request_report
from tests.studies.rated import make_rated_study
choices = ReportChoices(test="perm-both", resamples=1_000_000)
request_report(make_rated_study(), choices, actor=COMMAND_LINE, now=timezone.now())
"""


def test_a_worker_that_is_told_to_stop_gives_back_what_it_is_at(tmp_path):
    environment = make_environment(tmp_path)
    migrate(environment)
    run("shell", "--verbosity", "0", "--command", ASK_FOR_REPORT, environment=environment)
    database = sqlite3.connect(tmp_path / "db.sqlite3", timeout=60)

    def tell():
        return database.execute("select state, lease, n_tries, problem from jobs_job").fetchone()

    for _ in range(3):
        with start("background", environment=environment) as worker:
            assert wait_for(lambda: tell()[0] == "running")
            worker.terminate()
            assert wait_for(lambda: tell()[0] == "queued", seconds=10)
            worker.kill()
        assert tell() == ("queued", "", 0, "")
