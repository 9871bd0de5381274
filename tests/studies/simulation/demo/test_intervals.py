"""Tests of the intervals that the demo requests for its pages."""

import pytest

from jobs.enums import JobState
from jobs.models import Job
from studies.shared.reports import DEFAULT_REPORT
from studies.simulation.demo.running import DemoResult, request_intervals
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study, make_voted_study


@pytest.mark.django_db(transaction=True)
def test_only_intervals_of_the_reported_study_are_queued():
    other, reported = make_voted_study(), make_rated_study()
    demo = DemoResult("demo", "password", (), (other, reported), reported, failures=(), left_out=())

    request_intervals(demo, now=lambda: NOW)

    waiting = Job.objects.filter(kind=DEFAULT_REPORT, state=JobState.QUEUED).order_by("pk")
    # Others would keep the worker busy for minutes, and a visitor's own study waiting.
    assert [job.payload["study"] for job in waiting] == [reported.pk]
