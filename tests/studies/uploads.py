"""Files as sent by researchers: tables, results and references of COCO, zips of pictures, valid and invalid."""

import json
import zipfile
from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.datasets.drafts.checks import Preview, check_upload
from studies.datasets.staged_uploads import keep_files, stage_upload
from tests.factories.open_studies import draw_picture
from tests.factories.studies import NOW

TABLE = "image,system,candidate\na,m1,A dog.\na,m2,A cat.\nb,m1,A tree.\n"
CHOICES = {"name": "mine", "title": "Mine", "start": "preset:coco-m3"}


def make_file(name, content):
    return SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())


def make_zip(members, *, name="images.zip"):
    """Make a zip of members, name or `ZipInfo` -> bytes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return make_file(name, buffer.getvalue())


def make_pictures(*names):
    return make_zip({name: draw_picture(position) for position, name in enumerate(names)})


def make_results(captions):
    return json.dumps([{"image_id": image, "caption": caption} for image, caption in captions.items()])


def make_references(captions, *, files=()):
    names = dict(files)
    return json.dumps(
        {
            "images": [{"id": image, **({"file_name": names[image]} if image in names else {})} for image in captions],
            "annotations": [
                {"image_id": image, "caption": text} for image, texts in captions.items() for text in texts
            ],
        }
    )


def run_jobs():
    """Do here what workers of the background would do."""
    return run_waiting_jobs(now=timezone.now)


def stage(user, *, items=(), images=None, references=None, **choices):
    """Send an upload and look at it."""
    staged = stage_upload(user, choices={**CHOICES, **choices}, now=NOW)
    return check_upload(keep_files(staged, items=items, images=images, references=references))


def list_faults(staged):
    """Return what is wrong with an upload, as lines."""
    return [
        f"{fault.file} | {fault.record} | {fault.field} | {fault.rule} | {fault.got}"
        for fault in Preview.from_json(staged.checked).faults
    ]
