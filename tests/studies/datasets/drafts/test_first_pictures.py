"""Tests of the small pictures of an upload's first rows."""

import base64
from io import BytesIO

from PIL import Image as Picture

from studies.datasets.drafts.first_pictures import draw_first_pictures
from studies.datasets.drafts.images import ImageFolder


def test_each_image_is_drawn_once_at_its_first_row(tmp_path) -> None:
    Picture.new("RGB", (640, 480), "red").save(tmp_path / "a.png")
    Picture.new("RGB", (100, 10), "blue").save(tmp_path / "b.jpg")
    (tmp_path / "damaged.png").write_bytes(b"not a picture")

    found = draw_first_pictures(["a", "a", "missing", "damaged", "", "b"], ImageFolder(tmp_path))

    sizes = [Picture.open(BytesIO(base64.b64decode(one.partition(",")[2]))).size if one else None for one in found]
    assert sizes == [(160, 120), None, None, None, None, (100, 10)]
    assert found[0].startswith("data:image/jpeg;base64,")


def test_without_pictures_there_are_none() -> None:
    assert draw_first_pictures(["a", "b"], None) == ["", ""]
