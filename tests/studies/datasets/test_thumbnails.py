from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from PIL import Image as Picture

from studies.datasets.thumbnails import NoThumbnail, delete_files, keep_thumbnail, make_thumbnail
from studies.models import Image
from tests.factories.studies import make_dataset


def _image(content=None):
    image = Image.objects.create(dataset=make_dataset(), key="dog")
    if content is not None:
        image.file.save("dog.png", ContentFile(content))
    return image


def _image_file():
    image = Image(dataset=make_dataset("other"), key="cat")
    image.file.save("cat.png", ContentFile(_draw((40, 30))), save=False)
    return image.file


def _draw(size, mode="RGB", **options):
    buffer = BytesIO()
    Picture.new(mode, size).save(buffer, "PNG", **options)
    return buffer.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("size", "mode", "expected"),
    [((640, 480), "RGB", (320, 240)), ((1000, 100), "RGBA", (320, 32)), ((20, 10), "P", (20, 10))],
)
def test_make_thumbnail_keeps_proportions(size, mode, expected):
    picture = Picture.open(BytesIO(make_thumbnail(_image(_draw(size, mode)))))

    assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", expected)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "image 'dog' has no file"),
        (b"not a picture", "image 'dog' cannot be read"),
        (_draw((640, 480))[:200], "image 'dog' cannot be read"),
    ],
)
def test_make_thumbnail_of_no_picture(content, message):
    image = _image(content)

    with pytest.raises(NoThumbnail, match=message):
        make_thumbnail(image)


@pytest.mark.django_db
def test_make_thumbnail_of_a_file_that_is_gone():
    image = _image(_draw((10, 10)))
    image.file.storage.delete(image.file.name)

    with pytest.raises(NoThumbnail, match="image 'dog' cannot be read"):
        make_thumbnail(image)


@pytest.mark.django_db
def test_a_large_picture_is_made_small_when_it_is_taken_in_and_not_by_a_page():
    large, small = _image(_draw((4_000, 4_000), "L", compress_level=1)), Image(file=_image_file())
    with pytest.raises(NoThumbnail, match="image 'dog' is too large to create a thumbnail"):
        make_thumbnail(large)

    keep_thumbnail(large), keep_thumbnail(small)

    assert Picture.open(BytesIO(make_thumbnail(large))).size == (240, 240)
    assert large.file.storage.listdir("thumbnails/images")[1] == [f"{large.file.name.removeprefix('images/')}.jpg"]
    delete_files(large)
    assert large.file.storage.listdir("thumbnails/images")[1] == []
