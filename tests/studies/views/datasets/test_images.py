from io import BytesIO

from PIL import Image as Picture

from tests.factories.studies import make_study
from tests.studies.scored import list_items


def test_thumbnail(researcher, owner, picture):
    image = list_items(make_study(owner=owner))[0].image
    image.file.save("picture.png", picture)

    response = researcher.get(f"/studies/study/images/{image.pk}.jpg")

    assert response.headers["Content-Type"] == "image/jpeg"
    assert response.headers["Cache-Control"] == "private, max-age=3600"
    assert Picture.open(BytesIO(response.content)).size == (320, 213)


def test_thumbnail_of_an_image_without_file(researcher, owner):
    image = list_items(make_study(owner=owner))[0].image

    assert researcher.get(f"/studies/study/images/{image.pk}.jpg").status_code == 404


def test_thumbnail_of_another_study(researcher, owner, picture):
    make_study(owner=owner)
    foreign = list_items(make_study("foreign"))[0].image
    foreign.file.save("picture.png", picture)

    assert researcher.get(f"/studies/study/images/{foreign.pk}.jpg").status_code == 404
