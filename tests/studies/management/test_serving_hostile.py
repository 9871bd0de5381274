"""Tests that the site responds while a plugin misbehaves in a background worker."""

import os
import time

import pytest

from tests.plugins.installing import installed_hostile_plugins  # noqa: F401 - a fixture
from tests.postgres import find_free_port
from tests.studies.management.commands.processes import ROOT, call, make_environment, migrate, start
from tests.studies.management.commands.test_serve import fetch

pytestmark = [pytest.mark.slow, pytest.mark.alone]

ASK = """
from django.utils import timezone
from studies.access.audit import Actor
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.requests import request_scoring
from studies.enums import Interface
from tests.factories.studies import make_study
study = make_study()
actor = Actor(None, Interface.PAGE)
metrics = ["loops-forever", "eats-memory"]
request_scoring(study, metrics=metrics, catalog=load_catalog(), actor=actor, now=timezone.now())
"""
TELL = """
from studies.models import RequestedMetric, ScoringRequest
print(ScoringRequest.objects.get().state)
for metric in RequestedMetric.objects.order_by("metric"):
    print(metric.metric, metric.state, metric.message)
"""


def test_pages_answer_while_metrics_loop_and_eat_memory(tmp_path, installed_hostile_plugins):  # noqa: F811
    environment = make_environment(
        tmp_path,
        PYTHONPATH=os.pathsep.join([str(installed_hostile_plugins), str(ROOT)]),
        DJANGO_SETTINGS_MODULE="config.settings",
        ACCORDANCE_METRIC_SECONDS="20",
        ACCORDANCE_METRIC_MEMORY="512",
    )
    migrate(environment)
    call(ASK, environment=environment)
    port = find_free_port()
    with start("serve", "--port", str(port), "--workers", "1", environment=environment) as process:
        try:
            state, *_ = call(TELL, environment=environment)
            answered = []
            deadline = time.monotonic() + 300
            while state in ("queued", "running") and time.monotonic() < deadline:
                # `fetch` waits ten seconds for an answer; asked once it fails where there is none.
                page = fetch(f"http://127.0.0.1:{port}/login/", within=60.0 if not answered else 0.0)
                state, *metrics = call(TELL, environment=environment)
                answered.append((state, "csrfmiddlewaretoken" in page))
            last = fetch(f"http://127.0.0.1:{port}/login/", within=0.0)
        finally:
            process.terminate()

    assert ("running", True) in answered
    assert all(is_there for _, is_there in answered)
    assert "csrfmiddlewaretoken" in last
    assert state == "failed"
    eats, loops = metrics
    assert eats.startswith("eats-memory failed ")
    assert loops.startswith("loops-forever failed ")
    assert "20" in loops
    assert process.returncode == 0
