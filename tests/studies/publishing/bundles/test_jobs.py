"""The bundle of a report on a large study: made by a job, and handed out while the study is as it was."""

import zipfile
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from jobs.models import Job
from jobs.requests import cancel_job, delete_old_jobs
from jobs.worker.running import run_waiting_jobs
from studies.access.audit import Actor
from studies.analysis import cached_results
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.enums import AuditAction, Interface
from studies.models import AuditEntry, Study
from studies.monitoring.exclusion import exclude_rater
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.jobs import BUNDLE, KEPT, open_bundle
from studies.publishing.bundles.making import make_bundle
from studies.publishing.report_jobs import keep_report
from tests.factories.studies import NOW, make_judgment, make_rater, make_user
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _large(monkeypatch, tmp_path):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)


@pytest.fixture
def actor():
    return Actor(make_user("owner"), Interface.PAGE)


@pytest.fixture
def frozen(actor):
    study = make_rated_study()
    Study.objects.filter(pk=study.pk).update(owner=actor.user)
    study.refresh_from_db()
    gathered = gather_observations(study)
    return keep_report(gathered, report_observations(gathered), now=NOW)


def ask(frozen, actor, now=NOW):
    """Return the content of the bundle, or the job that makes it."""
    made = open_bundle(frozen, actor=actor, now=now)
    if isinstance(made, Job):
        return made
    with made:
        return made.read()


def work():
    run_waiting_jobs(now=lambda: NOW)


def list_jobs():
    return [(job.kind, job.lane, job.state) for job in Job.objects.order_by("pk")]


def count_downloads():
    return AuditEntry.objects.filter(action=AuditAction.EXPORTED).count()


def test_a_job_makes_the_bundle_that_the_command_makes(frozen, actor, tmp_path) -> None:
    first, again = ask(frozen, actor), ask(frozen, actor)
    before = count_downloads()
    work()
    content = ask(frozen, actor)

    sha256 = make_bundle(frozen.study, 1, path=tmp_path / "by_command.zip")
    assert content == (tmp_path / "by_command.zip").read_bytes()
    assert (first.pk, before, list_jobs()) == (again.pk, 0, [("bundle", "bundles", "done")])
    entry = AuditEntry.objects.get(action=AuditAction.EXPORTED)
    assert (entry.details, entry.actor) == ({"file": "bundle of report 1", "sha256": sha256}, actor.user)
    assert ask(frozen, actor) == content


def test_a_bundle_made_before_a_change_is_not_handed_out(frozen, actor) -> None:
    ask(frozen, actor)
    work()
    exclude_rater(frozen.study.raters.first(), reason="too fast", now=NOW)

    job = ask(frozen, actor)
    work()

    told = "the judgments or scores have changed since report 1"
    with pytest.raises(BundleRefused, match=told):
        ask(frozen, actor)
    job.refresh_from_db()
    assert told in job.problem
    # The refusal is told without another attempt, until something changes.
    assert (len(list_jobs()), count_downloads()) == (2, 0)
    make_judgment(list_items(frozen.study)[0], make_rater(frozen.study, "newcomer"), 1.0)
    assert isinstance(ask(frozen, actor), Job)


def test_a_bundle_is_made_anew_after_a_cancellation_and_after_its_file_was_deleted(frozen, actor) -> None:
    cancel_job(ask(frozen, actor), now=NOW)
    ask(frozen, actor)
    work()
    (file,) = find_files()
    file.unlink()

    assert isinstance(ask(frozen, actor), Job)
    assert [state for *_, state in list_jobs()] == ["cancelled", "done", "queued"]


def test_a_worker_deletes_the_files_after_an_hour(frozen, actor) -> None:
    ask(frozen, actor)
    work()
    made_at = datetime.fromtimestamp(find_files()[0].stat().st_mtime, tz=UTC)

    delete_old_jobs(now=made_at + KEPT - timedelta(seconds=1))
    before = len(find_files())
    delete_old_jobs(now=made_at + KEPT + timedelta(seconds=1))

    assert (before, find_files()) == (1, [])


def find_files():
    return list((Path(settings.VAR_DIR) / "bundles").iterdir())


def test_the_page_shows_the_job_and_then_the_file(frozen, actor, client) -> None:
    client.force_login(actor.user)
    address = "/studies/rated/reports/1/"

    response = client.get(f"{address}bundle.zip", follow=True)
    waiting = response.content.decode()
    run_waiting_jobs(now=timezone.now)
    there = client.get(address).content.decode()

    job = Job.objects.get(kind=BUNDLE.name)
    assert response.redirect_chain == [(address, 302)]
    assert f'hx-get="/jobs/{job.token}/' in waiting
    assert "htmx" in waiting
    assert ("The bundle was made at" in waiting, "The bundle was made at" in there) == (False, True)
    assert f"/jobs/{job.token}/" not in there
    content = client.get(f"{address}bundle.zip").getvalue()
    assert "manifest.json" in zipfile.ZipFile(BytesIO(content)).namelist()
