"""Tests of `manage.py caption`."""

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from captioning.api import CaptionedImages, Images
from captioning.cli import main
from captioning.runtime import load_captioners
from captioning.runtime.trained import digest_folder, read_card, train_captioner
from studies.models import Candidate, CaptionSet
from studies.publishing.bundles.rows import describe_study
from studies.publishing.methods.facts import _count_captions
from studies.publishing.methods.vocabulary import describe_captioner
from tests.factories.open_studies import draw_picture, make_designed_study
from tests.factories.studies import make_study
from tests.studies.datasets.captioners.offered import train_common, write_objects

SCALE = '[[scale]]\nvalue = 1\nlabel = "Bad"\n[[scale]]\nvalue = 2\nlabel = "Good"\n'
pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make_study()


def call(*arguments) -> str:
    printed = StringIO()
    call_command("caption", *map(str, arguments), stdout=printed)
    return printed.getvalue()


def test_trained_captioner_becomes_a_system(study, tmp_path) -> None:
    folder = train_common(tmp_path / "trained", note="text-conditioned")
    said = call("study-data", "--folder", folder, "--system", "common", "-n", 2)
    record = f"common-caption|v:1|n:2|seed:0|digest:{digest_folder(folder)}|note:text-conditioned"
    assert said == f"study-data: 4 captions of 2 images written as system common by {record}\n"
    sets = CaptionSet.objects.filter(system__name="common")
    assert [[each.text for each in row.candidates.all()] for row in sets] == [["a cat", "a cat on a mat"]] * 2


def test_objects_come_from_a_file_or_the_folder_of_the_dataset(study, tmp_path, settings) -> None:
    settings.ACCORDANCE_RESOURCES = str(tmp_path / "resources")
    objects = write_objects(tmp_path / "objects.json", study.dataset)
    call("study-data", "--captioner", "object-template", "--objects", objects)
    write_objects(tmp_path / "resources" / "datasets" / str(study.dataset.pk) / "objects.json", study.dataset)
    call("study-data", "--captioner", "object-template", "--system", "again")
    texts = list(Candidate.objects.filter(system__name="object-template").values_list("text", flat=True))
    assert texts == ["There is a cat and image-0", "There is a cat and image-1"]
    assert texts == list(Candidate.objects.filter(system__name="again").values_list("text", flat=True))


def test_methods_text_names_the_captioner_of_a_judged_system(study, tmp_path) -> None:
    folder = train_common(tmp_path / "trained")
    call("study-data", "--folder", folder, "--system", "common")
    item = study.tasks.first().items.first()
    assert "captioners" not in _count_captions(study)
    item.candidate = Candidate.objects.filter(system__name="common", image=item.image).get()
    item.save()
    (record,) = _count_captions(study)["captioners"]
    assert describe_captioner(record) == (
        "The captions of system common are by the captioner common-caption (The most frequent caption of the training "
        f"images; no paper; version 1, 1 caption for each image, seed 0, files {digest_folder(folder)})."
    )


def test_network_captions_the_stored_pixels(tmp_path, settings) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    make_designed_study("drawn")
    pixels = np.random.default_rng(0).integers(0, 255, (4, 16, 16, 3), dtype=np.uint8)
    data = CaptionedImages(Images(keys=tuple("abcd"), pixels=pixels), (("a red cat",), ("a dog",)) * 2)
    small = {"steps": 1, "validate_every": 1, "channels": "4-4", "hidden": 8, "embedding": 8, "threads": 1}
    registry = load_captioners(outside=False)
    folder = tmp_path / "trained"
    train_captioner(registry, "show-and-tell", data, data, folder=folder, seed=0, settings=small)
    assert read_card(folder).inputs == ("pixels",)

    with pytest.raises(CommandError, match="not squares of one size"):
        call("drawn-data", "--folder", folder)
    decoding = ["--decoding", "sample,max_words=5", "-n", 3, "--system", "network", "--size", 16, "--allow-empty"]
    call("drawn-data", "--folder", folder, *decoding)
    texts = [row.text for row in Candidate.objects.filter(system__name="network")]
    assert len(texts) == 6
    assert {word for text in texts for word in text.split()} <= {"a", "red", "cat", "dog"}


def test_table_of_the_command_line_makes_a_study(study, tmp_path, settings) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "images").mkdir()
    for key in ("image-0", "image-1"):
        (tmp_path / "images" / f"{key}.png").write_bytes(draw_picture())
    folder, items, design = train_common(tmp_path / "trained"), tmp_path / "items.csv", tmp_path / "design.toml"
    objects = write_objects(tmp_path / "objects.json", study.dataset)
    design.write_text('consent = "I agree."\nquestion = "How good is it?"\n\n' + SCALE)
    given = ["caption", "--folder", folder, "--objects", objects, "--out", items, "--system", "frequent"]
    assert main([str(each) for each in given]) == 0
    files = {"--design": design, "--items": items, "--images": tmp_path / "images"}
    options = [str(each) for pair in files.items() for each in pair]
    call_command("create_study", "judged", "--kind", "rating", *options)
    rows = Candidate.objects.filter(dataset__name="judged").values_list("image__key", "system__name", "text")
    assert set(rows) == {("image-0", "frequent", "a cat"), ("image-1", "frequent", "a cat")}


def test_bundles_keep_the_captioner(study, tmp_path) -> None:
    call("study-data", "--folder", train_common(tmp_path / "trained"), "--system", "common")
    systems = {each["name"]: each for each in describe_study(study)["systems"]}
    assert systems["common"]["captioner"]["captioner"] == "common-caption"
    assert systems["first"] == {"name": "first", "is_human": False}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent", "--captioner", "object-template"], "absent"),
        (["study-data"], "pass --captioner ID, or --folder with a trained captioner"),
        (["study-data", "--captioner", "object-tmplate"], "did you mean object-template"),
        (
            ["study-data", "--captioner", "object-template"],
            "reads the objects of images, which dataset study-data does not",
        ),
        (["study-data", "--captioner", "nearest-neighbour"], "must be trained first"),
        (["study-data", "--captioner", "object-template", "--decoding", "hot"], "`method` of decoding must be one of"),
    ],
)
def test_what_cannot_be_captioned_is_told(study, arguments, message) -> None:
    with pytest.raises(CommandError, match=message):
        call(*arguments)
    assert not Candidate.objects.exclude(system__name__in=["first", "second"]).exists()
