"""Tests of pictures that a killed job has stored without using them."""

import json
import shutil

import pytest
from django.core.files.storage import default_storage

from jobs.enums import JobState
from jobs.models import Job
from studies.datasets.image_storage import delete_folder, delete_left_folders, name_folder, store_picture
from studies.models import Image
from studies.shared.errors import SourceLocation
from tests.factories.open_studies import draw_picture, make_designed_study
from tests.factories.studies import NOW
from tests.studies.management.commands.processes import make_environment, migrate, run

KILLED = """
import json, os, signal
from pathlib import Path
from django.conf import settings
from django.utils import timezone
from jobs.worker.dispatching import Dispatcher
from jobs.running_job import JobHandle
from jobs.models import Job
from studies.access.audit import Actor
from studies.datasets.drafts.upload_jobs import send_upload
from studies.enums import Interface
from tests.factories.studies import make_user
from tests.studies.uploads import TABLE, make_file, make_pictures

def list_stored():
    return [str(path) for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]

report = JobHandle.report
def report_and_die(handle, message, *, n_done=0, n_total=0):
    report(handle, message, n_done=n_done, n_total=n_total)
    if message == "Storing images." and n_done == 1:
        (Path(settings.MEDIA_ROOT).parent / f"seen-{handle.job.n_tries}").write_text(json.dumps(list_stored()))
        os.kill(os.getpid(), signal.SIGKILL)
JobHandle.report = report_and_die

user = make_user("researcher")
send_upload(
    choices={"name": "mine", "title": "Mine", "start": "preset:coco-m3"},
    files={"items": [make_file("items.csv", TABLE)], "images": make_pictures("a.png", "b.png")},
    actor=Actor(user, Interface.PAGE), now=timezone.now(), make=True,
)
Dispatcher(now=timezone.now, lanes=("uploads",)).run(batch=True)
job = Job.objects.get()
seen = [json.loads(path.read_text()) for path in sorted(Path(settings.MEDIA_ROOT).parent.glob("seen-*"))]
print(json.dumps({"state": job.state, "problem": job.problem, "seen": seen, "left": list_stored()}))
"""


@pytest.mark.slow
def test_pictures_of_a_killed_job_go(tmp_path) -> None:
    environment = make_environment(tmp_path)
    migrate(environment)

    told = json.loads(run("shell", "--verbosity", "0", "--command", KILLED, environment=environment))

    assert told["state"] == "lost", told
    # The second try found nothing of the first.
    assert [len(each) for each in told["seen"]] == [1, 1]
    assert told["left"] == []


@pytest.mark.django_db
def test_folders_go_where_their_job_is_over_and_no_study_was_made(settings, tmp_path) -> None:
    settings.MEDIA_ROOT = tmp_path
    dataset = make_designed_study().dataset
    jobs = {
        state: Job.objects.create(kind=state, lane="uploads", requested_at=NOW, not_before=NOW)
        for state in ("waits", "cancelled", "made")
    }
    over = {"state": JobState.CANCELLED, "finished_at": NOW}
    Job.objects.filter(pk__in=[jobs["cancelled"].pk, jobs["made"].pk]).update(**over)
    images = {state: Image(dataset=dataset, key=state) for state in jobs}
    for state, image in images.items():
        folder = name_folder(jobs[state])
        store_picture(image, name="a.png", content=draw_picture(1), location=SourceLocation("a"), folder=folder)
    images["made"].save()

    delete_left_folders()
    delete_folder(name_folder(jobs["made"]))

    there = {state: default_storage.exists(image.file.name) for state, image in images.items()}
    assert there == {"waits": True, "cancelled": False, "made": True}
    shutil.rmtree(tmp_path / "images")
    delete_left_folders()
