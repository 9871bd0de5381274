"""Tests of files in a real S3 server and of the cache in a real Redis server, as two web servers share them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres import find_free_port
from tests.shared_services import CREDENTIALS, run_object_store, run_redis
from tests.studies.management.commands.processes import call, make_environment, migrate

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
START = "import json, sys; from django.utils import timezone\n"
UPLOAD = f"""{START}
from django.conf import settings
from django.core.management import call_command
from jobs.worker.dispatching import Dispatcher
from studies.access.audit import Actor
from studies.datasets.drafts.upload_jobs import send_upload
from studies.enums import Interface
from tests.factories.studies import make_user
from tests.studies.uploads import TABLE, make_file, make_pictures
staged, _ = send_upload(
    choices={{"name": "mine", "title": "Mine", "start": "preset:coco-m3"}},
    files={{"items": [make_file("items.csv", TABLE)], "images": make_pictures("a.png", "b.png")}},
    actor=Actor(make_user("researcher"), Interface.PAGE), now=timezone.now(), make=True,
)
"""
WORK = f"""{START}
from jobs.models import Job
from jobs.worker.dispatching import Dispatcher
Dispatcher(now=timezone.now, lanes=("uploads",)).run(batch=True)
job = Job.objects.get()
print(job.state, job.problem)
"""
LOOK = f"""{START}
from django.contrib.auth import get_user_model
from django.core.files.storage import storages
from django.test import Client
from annotation_ui.views.images import send_image
from studies.datasets.image_storage import delete_left_folders
from studies.datasets.staged_uploads import list_staged
from studies.models import Image
delete_left_folders()
user = get_user_model().objects.get()
owner, stranger = Client(HTTP_HOST="localhost"), Client(HTTP_HOST="localhost")
owner.force_login(user)
image = Image.objects.order_by("pk").first()
page = f"/studies/mine/images/{{image.pk}}.jpg"
sent = send_image(image)
print(json.dumps({{
    "pages": [owner.get(page).status_code, stranger.get(page).status_code],
    "length": [int(sent["Content-Length"]), len(b"".join(sent.streaming_content)), image.file.size],
    "left": [found.name for found in storages["replacing"].list_objects("")],
    "staged": len(list_staged(user, now=timezone.now())),
}}))
"""
COUNT = """
import sys
from types import SimpleNamespace
from django.conf import settings
from studies.api.throttling import PerMinute
throttle = PerMinute()
throttle.timer = lambda: 120.0
request = SimpleNamespace(auth=None, user=SimpleNamespace(is_authenticated=True, pk=1))
print(sum(throttle.allow_request(request, None) for _ in range(200)))
"""


@pytest.fixture(scope="module")
def store():
    with run_object_store() as address:
        yield address


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with run_redis(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture
def machines(tmp_path, store, redis):
    """The environments of two machines with one database; nothing else of their disks is shared."""
    shared = {**CREDENTIALS, "ACCORDANCE_STORAGE": f"{store}".replace("/lab", f"/{tmp_path.name}"), "SECRET_KEY": "one"}
    shared |= {"ACCORDANCE_REDIS": redis, "ACCORDANCE_IDENTITY_KEY": "key", "DJANGO_SETTINGS_MODULE": "config.settings"}
    database = f"sqlite:///{tmp_path / 'db.sqlite3'}"
    both = [make_environment(tmp_path / name, **shared, DATABASE_URL=database) for name in ("first", "second")]
    migrate(both[0])
    return both


def test_upload_of_one_machine_becomes_a_study_by_another_and_is_served_by_both(machines) -> None:
    first, second = machines

    call(UPLOAD, environment=first)
    ended = call(WORK, environment=second)
    told = json.loads(call(LOOK, environment=first)[-1])

    assert ended == ["done "]
    assert told["pages"] == [200, 302]
    assert len(set(told["length"])) == 1
    assert told["length"][0] > 0
    # Nothing is left of the upload.
    assert [sorted(Path(name).name for name in told["left"]), told["staged"]] == [["mine-a.png", "mine-b.png"], 0]
    assert not [path for each in machines for path in Path(each["ACCORDANCE_VAR"]).rglob("*.png")]


def test_limit_of_the_api_holds_over_two_processes(machines) -> None:
    limited = [{**each, "ACCORDANCE_API_PER_MINUTE": "250"} for each in machines]
    program = "import django; django.setup()\n" + COUNT

    started = [
        subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=each, stdout=subprocess.PIPE, text=True)
        for each in limited
    ]
    allowed = [int(process.communicate()[0]) for process in started]

    assert sum(allowed) == 250


OUTAGE = """
import logging
from django.test import Client
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_user
from studies.models import Image, Judgment
logging.disable(logging.CRITICAL)
study = make_open_study(n_tasks=2, has_files=False)
rater = Person(study).join()
assignment = rater.take_task()
image = assignment.task.items.first().image
Image.objects.filter(pk=image.pk).update(file="images/gone.png")
rater.answer(assignment, "4")
owner = Client(HTTP_HOST="localhost")
owner.force_login(make_user())
api = owner.get("/api/v1/studies/")
shown = rater.client.get(rater.address_image(Image.objects.get(pk=image.pk)))
print(Judgment.objects.count(), api.status_code, api.json()["status"], api["Retry-After"], shown.status_code)
print("127.0.0.1" in api.content.decode() + shown.content.decode())
"""


def test_judgments_go_through_while_the_store_and_redis_are_down(machines) -> None:
    down = f"127.0.0.1:{find_free_port()}"
    addresses = {"ACCORDANCE_REDIS": f"redis://{down}", "ACCORDANCE_STORAGE": f"s3://accordance?endpoint=http://{down}"}

    counts, leaks = call(OUTAGE, environment={**machines[0], **addresses, "ALLOWED_HOSTS": "localhost,testserver"})

    n_judgments, *statuses = counts.split()
    assert int(n_judgments) > 0
    assert statuses == ["503", "503", "30", "503"]
    # Messages for visitors have no addresses of servers.
    assert leaks == "False"


JOB = f"""{START}
from studies.storage.outages import ServiceUnreachable
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.cache import cache
write, read = lambda: default_storage.save("x", ContentFile(b"x")), lambda: default_storage.open("x")
for use in (write, read, lambda: cache.get("x")):
    try:
        use()
    except ServiceUnreachable as error:
        print(type(error).__mro__[1].__name__, error)
"""


def test_error_names_the_setting(machines) -> None:
    down = f"127.0.0.1:{find_free_port()}"
    addresses = {"ACCORDANCE_REDIS": f"redis://{down}", "ACCORDANCE_STORAGE": f"s3://accordance?endpoint=http://{down}"}

    told = call(JOB, environment={**machines[0], **addresses})

    # A job that meets it is tried again.
    assert [line.partition(" cannot be used: ")[0] for line in told] == [
        "TryAgain the object store of ACCORDANCE_STORAGE",
        "TryAgain the object store of ACCORDANCE_STORAGE",
        "TryAgain the Redis server of ACCORDANCE_REDIS",
    ]


SUBMIT = f"""{START}
import hashlib
from django.core.files.storage import storages
from challenges.submissions.cancelling import cancel_submission
from challenges.submissions.uploads import append_part, begin_upload, digest_received, find_offset, finish_upload
from tests.challenges.challenges import make_challenge, make_phase, make_team, write_results
from tests.factories.studies import NOW
phase = make_phase(make_challenge(), per_day=3)
team = make_team(phase.challenge)
content = write_results()
def begin():
    user = team.members.first().user
    return begin_upload(phase, team=team, user=user, name="x.json", n_bytes=len(content), now=NOW)
first, second = begin(), begin()
for upload in (first, second):
    append_part(upload, offset=0, content=content[:50])
    append_part(upload, offset=50, content=content[50:70])
offsets = [find_offset(first), digest_received(first)[1] == [hashlib.sha256(content[:70]).hexdigest()]]
append_part(first, offset=70, content=content[70:])
done = finish_upload(first, now=NOW)
cancel_submission(second, reason="of a test", now=NOW)
with done.file.open("rb") as file:
    same = file.read() == content
print(json.dumps({{
    "offsets": offsets,
    "same": [same, done.digest == hashlib.sha256(content).hexdigest()],
    "left": [found.name for found in storages["replacing"].list_objects("submissions/")] == [done.file.name],
}}))
"""


def test_submission_arrives_in_parts(machines) -> None:
    told = json.loads(call(SUBMIT, environment=machines[0])[-1])

    assert told == {"offsets": [70, True], "same": [True, True], "left": True}


def test_files_are_copied_for_metrics_that_read_them(machines) -> None:
    told = json.loads(call(COPY, environment=machines[0])[-1])

    assert told == {"content": "picture", "is_there": [True, False], "again": True, "taken": "a_", "left": ["other/x"]}


COPY = f"""{START}
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from studies.storage.local_copies import make_local_copies
first = default_storage.save("images/job-1/a.png", ContentFile(b"picture"))
second = default_storage.save("images/job-1/a.png", ContentFile(b"another"))
default_storage.save("other/x", ContentFile(b"x"))
with make_local_copies(default_storage) as find:
    path = find(first)
    content, again, before = path.read_text(), find(first) == path, path.exists()
from studies.datasets.image_storage import delete_folder
delete_folder("job-1")
print(json.dumps({{
    "content": content, "is_there": [before, path.exists()], "again": again, "taken": second.rpartition("/")[2][:2],
    "left": [found.name for found in storages["replacing"].list_objects("")],
}}))
"""
