"""Tests of access to images: only raters who have had a task with an image may load it."""

import pytest
from django.core.files.base import ContentFile

from studies.models import Image
from tests.annotation_ui.people import Person
from tests.factories.open_studies import draw_picture, make_open_study

pytestmark = pytest.mark.django_db


def _find_image(assignment):
    return assignment.task.items.first().image


def test_rater_gets_the_image_of_their_task() -> None:
    rater = Person(make_open_study()).join()
    image = _find_image(rater.take_task())

    response = rater.client.get(rater.address_image(image))

    assert b"".join(response.streaming_content) == draw_picture(int(image.key.removeprefix("image-")))
    assert (response["Content-Type"], response["Cache-Control"]) == ("image/png", "private, max-age=3600")
    assert response["X-Content-Type-Options"] == "nosniff"


def test_rater_gets_no_image_of_other_tasks() -> None:
    rater = Person(make_open_study(n_tasks=3)).join()
    own = _find_image(rater.take_task())

    others = Image.objects.exclude(pk=own.pk)

    assert [rater.client.get(rater.address_image(image)).status_code for image in others] == [404, 404]


def test_stranger_and_rater_of_another_study_get_none() -> None:
    study = make_open_study("one")
    rater = Person(study).join()
    image = _find_image(rater.take_task())
    address = rater.address_image(image)
    foreigner = Person(make_open_study("two")).join()
    foreigner.take_task()

    assert Person(study).client.get(address).status_code == 302
    assert foreigner.client.get(address).status_code == 302
    assert foreigner.client.get(foreigner.address_image(image)).status_code == 404


def test_address_of_an_image_is_good_for_one_rater_only() -> None:
    study = make_open_study(n_tasks=1, raters_per_task=2)
    raters = [Person(study).join() for _ in range(2)]
    images = [_find_image(rater.take_task()) for rater in raters]
    own, other = (rater.address_image(images[0]) for rater in raters)

    assert images[0] == images[1]
    assert b"".join(raters[0].client.get(own).streaming_content).startswith(b"\x89PNG")
    assert raters[0].client.get(other).status_code == 404
    assert raters[0].client.get(raters[0].address("image", name=str(images[0].pk))).status_code == 404


def test_image_without_a_file_is_said_to_be_missing() -> None:
    rater = Person(make_open_study(has_files=False)).join()
    image = _find_image(rater.take_task())

    assert "The image of this task is not available." in rater.get("task").content.decode()
    assert rater.client.get(rater.address_image(image)).status_code == 404


def test_image_whose_file_is_gone_is_missing_and_no_error() -> None:
    rater = Person(make_open_study()).join()
    image = _find_image(rater.take_task())
    image.file.storage.delete(image.file.name)

    assert rater.client.get(rater.address_image(image)).status_code == 404


def test_uploads_named_as_images_are_never_served_as_pages() -> None:
    rater = Person(make_open_study()).join()
    image = _find_image(rater.take_task())
    image.file.save("page.html", ContentFile(b"<script>alert(1)</script>"))

    response = rater.client.get(rater.address_image(image))

    assert b"".join(response.streaming_content) == b"<script>alert(1)</script>"
    assert response["Content-Type"] == "application/octet-stream"
