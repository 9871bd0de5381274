"""Tests of photos with GPS metadata, which raters do not get."""

from io import BytesIO

import pytest
from PIL import Image as Picture

from studies.collection.lifecycle import open_study
from studies.datasets.drafts.creation import draft_study
from studies.enums import TaskKind
from studies.models import Study
from tests.annotation_ui.people import Person
from tests.factories.studies import NOW, make_user
from tests.studies.datasets.drafts.test_creation import DESIGN

pytestmark = pytest.mark.django_db
SECRET = "51.4779 North"


def test_rater_gets_no_slot_with_a_photo(tmp_path) -> None:
    exif = Picture.Exif()
    exif.get_ifd(0x8825)[29] = SECRET
    Picture.new("RGB", (40, 20)).save(tmp_path / "a.jpg", exif=exif)
    (tmp_path / "design.toml").write_text(DESIGN)
    (tmp_path / "items.csv").write_text("image,system,candidate\na,m1,A dog.\n")
    files = {"design_file": tmp_path / "design.toml", "item_file": tmp_path / "items.csv", "image_folder": tmp_path}
    draft_study("mine", kind=TaskKind.RATING, owner=make_user(), title="Mine", now=NOW, **files)
    open_study(Study.objects.get(), now=NOW)
    rater = Person(Study.objects.get()).join()
    image = rater.take_task().task.items.first().image

    content = b"".join(rater.client.get(rater.address_image(image)).streaming_content)

    assert SECRET.encode() in (tmp_path / "a.jpg").read_bytes()
    assert SECRET.encode() not in content
    assert Picture.open(BytesIO(content)).size == (40, 20)
