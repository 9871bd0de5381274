"""Tests of thumbnails at the addresses given with items."""

from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from PIL import Image as Picture

from tests.factories.open_studies import draw_picture
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def test_items_tell_their_pictures(api, study, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    first = list_items(study)[0].image
    first.file.save("picture.png", ContentFile(draw_picture()))

    told = [each["picture"] for each in api.get("items/").json()["results"]]
    response = api.client.get(told[0])

    assert told == [f"http://testserver/api/v1/studies/study/images/{first.pk}.jpg", None, None]
    assert response.headers["Content-Type"] == "image/jpeg"
    assert Picture.open(BytesIO(response.content)).format == "JPEG"


def test_an_image_without_a_file_or_of_another_study(api, study):
    image = list_items(study)[0].image

    without, unknown = api.get(f"images/{image.pk}.jpg"), api.get(f"images/{image.pk + 1000}.jpg")

    assert [without.status_code, unknown.status_code] == [404, 404]
    assert without.json()["detail"] == f"image {image.key!r} has no file"
