"""Tests of removing camera metadata from images in the media folder."""

import os
import signal
import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from PIL import Image as Picture

from studies.datasets.image_storage import store_picture
from studies.datasets.metadata_removal import Stripped, strip_pictures
from studies.datasets.thumbnails import make_thumbnail, name_thumbnail
from studies.models import Dataset, Image
from studies.shared.errors import SourceLocation
from tests.factories.studies import make_study
from tests.studies.datasets.drafts.test_picture_metadata import SECRET, _read, _write, _write_moving
from tests.studies.management.commands.processes import call, make_environment, migrate, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def dataset(media):
    dataset = make_study(n_tasks=0).dataset
    Dataset.objects.filter(pk=dataset.pk).update(n_bytes=1)
    return dataset


def store(dataset, key, content, name="photo.jpg"):
    image = Image(dataset=dataset, key=key)
    image.file.save(name, ContentFile(content))
    return image


def read_all(media):
    return {str(path.relative_to(media)): path.read_bytes() for path in media.rglob("*") if path.is_file()}


def test_stored_images_are_stripped_under_their_names(dataset, media) -> None:
    photo = store(dataset, "photo", _write("JPEG", orientation=6, comment=SECRET))
    clean = store(dataset, "clean", strip(_write("PNG")), "clean.png")
    Image.objects.create(dataset=dataset, key="without-a-file")
    Path(photo.file.path).chmod(0o640)
    before = read_all(media)

    assert strip_pictures(changes=False) == Stripped(n_images=2, n_stripped=1)
    assert read_all(media) == before
    assert strip_pictures() == Stripped(n_images=2, n_stripped=1)

    after = read_all(media)
    dataset.refresh_from_db()
    assert after.keys() == before.keys()
    assert SECRET.encode() in b"".join(before.values())
    assert SECRET.encode() not in b"".join(after.values())
    assert _read(after[photo.file.name]).size == (20, 40)
    assert after[clean.file.name] == before[clean.file.name]
    assert Path(photo.file.path).stat().st_mode & 0o777 == 0o640
    assert dataset.n_bytes == sum(map(len, after.values()))
    assert strip_pictures() == Stripped(n_images=2)


def strip(content):
    image = Image(key="clean")
    store_picture(image, name="other.png", content=content, location=SourceLocation("a"))
    with image.file.open("rb") as file:
        left = file.read()
    image.file.delete(save=False)
    return left


def test_thumbnail_that_is_kept_is_stripped(dataset, media) -> None:
    image = store(dataset, "photo", strip(_write("PNG")), "photo.png")
    image.file.storage.save(name_thumbnail(image), ContentFile(_write("JPEG", comment=SECRET)))

    assert strip_pictures().n_stripped == 1

    assert SECRET.encode() not in b"".join(read_all(media).values())


def test_what_cannot_be_stripped_is_told_and_stays(dataset, media) -> None:
    store(dataset, "moving", _write_moving("AVIF"), "moving.avif")
    gone = store(dataset, "gone", _write("JPEG"), "gone.jpg")
    Path(gone.file.path).unlink()
    photo = store(dataset, "photo", _write("JPEG", comment=SECRET))
    before = read_all(media)

    found = strip_pictures()

    assert (found.n_images, found.n_stripped) == (3, 1)
    assert found.refused == [
        "dataset study-data, image moving: must have no metadata, because it cannot be removed from an animated AVIF",
        "dataset study-data, image gone: No such file or directory",
    ]
    assert {name for name, content in read_all(media).items() if content != before[name]} == {photo.file.name}


def test_command_looks_and_strips(dataset, media) -> None:
    store(dataset, "photo", _write("JPEG", comment=SECRET))
    said = StringIO()

    with pytest.raises(CommandError, match=r"^1 images with files, of which 1 have metadata$"):
        call_command("strip_pictures", "--check")
    call_command("strip_pictures", stdout=said)
    call_command("strip_pictures", "--check", stdout=said)

    assert said.getvalue().splitlines() == [
        "1 images with files, of which 1 had metadata and were stripped",
        "1 images with files, of which 0 have metadata",
    ]


def test_thumbnails_have_no_metadata(dataset) -> None:
    for form, name in (("JPEG", "a.jpg"), ("PNG", "a.png"), ("WEBP", "a.webp"), ("AVIF", "a.avif")):
        options = {"comment": SECRET} if form == "JPEG" else {}
        # As it lay there before anything was stripped.
        image = store(dataset, name, _write(form, orientation=1, xmp=SECRET.encode(), **options), name)
        assert SECRET.encode() in image.file.read()

        thumbnail = make_thumbnail(image)

        assert SECRET.encode() not in thumbnail
        assert set(_read(thumbnail).info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


MAKE = """
from io import BytesIO
from django.core.files.base import ContentFile
from PIL import Image as Picture
from studies.models import Image
from tests.factories.studies import make_study
dataset = make_study(n_tasks=0).dataset
for number in range(40):
    buffer = BytesIO()
    Picture.effect_noise((400, 300), 50).convert("RGB").save(buffer, "JPEG", comment="planted-secret")
    Image(dataset=dataset, key=str(number)).file.save(f"{number}.jpg", ContentFile(buffer.getvalue()))
"""


def test_the_command_can_be_killed_at_any_time(tmp_path) -> None:
    environment = make_environment(tmp_path, HOME=os.environ["HOME"], DJANGO_SETTINGS_MODULE="config.settings")
    migrate(environment)
    call(MAKE, environment=environment)
    folder = tmp_path / "media" / "images"
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}

    command = [sys.executable, "manage.py", "strip_pictures"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        # Once it is at work.
        while process.poll() is None and all(b"planted-secret" in path.read_bytes() for path in folder.glob("*.jpg")):
            pass
        process.send_signal(signal.SIGKILL)
    (folder / ".stripping-left").write_bytes(b"half a picture")
    n_left = 0
    for path in folder.glob("*.jpg"):
        content = path.read_bytes()
        n_left += b"planted-secret" in content
        with Picture.open(BytesIO(content)) as picture, Picture.open(BytesIO(whole[path.name])) as old:
            assert picture.tobytes() == old.tobytes()
    told = run("strip_pictures", environment=environment)

    assert n_left > 0
    assert told.strip() == f"40 images with files, of which {n_left} had metadata and were stripped"
    assert {path.name for path in folder.iterdir()} == whole.keys()
    assert not [path for path in folder.iterdir() if b"planted-secret" in path.read_bytes()]
