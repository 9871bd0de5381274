"""A submission that is cancelled while its job is given up ends once, as it was cancelled; on PostgreSQL."""

import pytest

from tests.studies.installations import make_database, make_own_environment
from tests.studies.management.commands.processes import call, run

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

PROGRAM = """
import time
from datetime import timedelta
from threading import Thread
from django.db import connection, transaction
from django.utils import timezone
from challenges.submissions.cancelling import cancel_submission
from jobs.ending import end_job
from jobs.enums import JobState
from jobs.models import Job
from jobs.worker.claiming import claim_job
from tests.challenges.challenges import make_challenge, make_phase, make_team, submit

now = timezone.now()
challenge = make_challenge()
phase = make_phase(challenge, opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
submission = submit(phase, team=make_team(challenge), now=now)
job = claim_job("challenges", now=now)

def give_up():
    end_job(Job.objects.filter(pk=job.pk), JobState.LOST, now=now, problem="three workers died")
    connection.close()

def is_waiting():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()

thread = Thread(target=give_up)
with transaction.atomic():
    cancel_submission(submission, reason="A mistake.", now=now)
    thread.start()
    while thread.is_alive() and not is_waiting():
        time.sleep(0.05)
thread.join()
submission.refresh_from_db()
job.refresh_from_db()
print(submission.state, submission.reason, job.state)
"""


def test_a_cancelled_submission_stays_cancelled(tmp_path, postgres_url):
    with make_database(postgres_url, "ending_at_once") as url:
        environment = make_own_environment(tmp_path, DATABASE_URL=url)
        run("migrate", "--verbosity", "0", environment=environment)

        assert call(PROGRAM, environment=environment) == ["cancelled A mistake. lost"]
