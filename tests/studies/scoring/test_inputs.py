from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from metrics_plugins.api import Input, Level
from studies.models import Candidate, Image, Reference, ScoringInput
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import build_rows
from studies.scoring.references import ReferenceSelection
from studies.shared.own_captions import OwnCaptions
from studies.storage.local_copies import make_local_copies
from tests.factories.studies import NOW
from tests.studies.scoring.rows import add_item, make_reference_set, make_rows

ALL = ReferenceSelection("all")
SHIPPED = ReferenceSelection("set", name="shipped")
PER_ROW = ReferenceSelection("exclude-candidate-per-row")

pytestmark = pytest.mark.django_db


def build(study, *, level=Level.SEGMENT, selection=ALL):
    return build_rows(study.dataset, level=level, selection=selection)


def test_rows_are_the_candidates_in_order():
    study = make_rows()

    rows = build(study)

    assert rows.keys == ("dog-first", "dog-second", "cat-first", "cat-second", "sea-first", "sea-second")
    assert rows.captions[:3] == (("a dog runs",), ("a dog",), ("the cat\tnaps",))
    assert rows.references[4] == ("blue water",)
    assert rows.ids.tolist() == list(Candidate.objects.order_by("pk").values_list("pk", flat=True))
    assert rows.image_keys == ("dog", "dog", "cat", "cat", "sea", "sea")
    assert rows.make_batch([5, 0]).image_keys == ("sea", "dog")
    assert rows.available_inputs == {Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY}


def test_a_row_is_described_by_image_system_and_caption():
    rows = build(make_rows())

    caption = rows.captions[0][0]
    assert rows.describe_row(0) == f"row 1 of {len(rows)}: image 'dog', system 'first', caption {caption!r}"


def test_rows_of_a_set_input_are_caption_sets():
    rows = build(make_rows(), level=Level.SET)

    assert rows.keys[:2] == ("dog:first", "dog:second")
    assert rows.captions[:2] == (("a dog runs",), ("a dog",))
    assert rows.image_keys[:2] == ("dog", "dog")
    assert rows.available_inputs == {Input.CAPTION_SET, Input.REFERENCES, Input.IMAGE_KEY}


def test_reference_sets_are_not_for_caption_sets():
    with pytest.raises(ScoringFailed, match="reference sets belong to candidates"):
        build(make_rows(), level=Level.SET, selection=SHIPPED)


def test_each_judged_item_is_one_document_and_an_image_without_one_too():
    study = make_rows()
    add_item(study, "dog", position=2, other=True)
    add_item(study, "dog", position=3, other=True)

    rows = build(study)

    # The rated candidate of `dog`, its pair (judged twice, counted once), the one of `cat`, and the unjudged `sea`.
    assert [rows.keys[row] for row in rows.fit_rows] == ["dog-first", "dog-first", "cat-first", "sea-first"]


def test_with_a_reference_set_each_row_is_a_document():
    study = make_rows()
    make_reference_set(study.dataset, {"dog-first": (0,)})

    assert build(study, selection=SHIPPED).fit_rows.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_caption_with_alternatives_has_a_row_for_each():
    study = make_rows()
    make_reference_set(study.dataset, {"dog-first": (0,)})
    make_reference_set(study.dataset, {"dog-first": (2, 1)}, alternative=1)

    rows = build(study, selection=SHIPPED)

    assert rows.keys[:3] == ("dog-first", "dog-first#2", "dog-second")
    assert rows.references[:3] == (("a dog runs",), ("a brown animal", "the  dog barks"), ())
    assert rows.ids[0] == rows.ids[1]
    assert len(rows.fit_rows) == 7


def test_a_part_of_a_set_has_its_own_candidates_alone():
    study = make_rows()
    make_reference_set(study.dataset, {"cat-first": (0,), "dog-second": (1,)}, part="one")

    rows = build(study, selection=ReferenceSelection("set", name="shipped", part="one"))

    assert rows.keys == ("dog-second", "cat-first")


def test_a_caption_is_left_out_of_its_own_row_alone():
    rows = build(make_rows(), selection=PER_ROW)

    # "a dog runs" goes for the first row and stays for the second; "the cat\tnaps" is "the cat naps".
    assert rows.references[:4] == (
        ("the  dog barks", "a brown animal"),
        ("a dog runs", "the  dog barks", "a brown animal"),
        ("a cat sleeps", "a cat"),
        ("a cat", "the cat naps"),
    )
    assert rows.fit_rows.tolist() == [0, 1, 2, 3, 4, 5]


def test_the_captions_of_a_set_are_left_out_of_its_row():
    assert build(make_rows(), level=Level.SET, selection=PER_ROW).references[0] == ("the  dog barks", "a brown animal")


def test_own_captions_are_counted():
    study = make_rows()

    # Of six captions, three are references: "a dog runs", "the cat\tnaps" and "a cat sleeps".
    assert build(study).own_captions == OwnCaptions(n_rows=6, n_exact=3, n_normalized=0, n_left=3, n_similar=0)
    assert build(study, selection=PER_ROW).own_captions.n_left == 0
    saved = build(study).save(now=NOW)
    assert OwnCaptions(**saved.own_captions) == build(study).own_captions


def test_images_are_a_column_only_if_every_one_has_a_file(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    study = make_rows()
    images = list(Image.objects.order_by("pk"))
    for image in images[:2]:
        image.file.save(f"{image.key}.png", ContentFile(b"picture"))
    assert Input.IMAGE not in build(study).available_inputs

    images[2].file.save("sea.png", ContentFile(b"picture"))

    rows = build(study)
    assert Input.IMAGE in rows.available_inputs
    with make_local_copies(default_storage) as find_image:
        batch = rows.make_batch([5, 0], find_image=find_image)
    assert [path.name for path in batch.images] == ["sea.png", "dog.png"]


def test_batch_has_the_rows_asked_for():
    batch = build(make_rows()).make_batch([3, 0, 0])

    assert batch.keys == ("cat-second", "dog-first", "dog-first")
    assert list(batch.candidates) == ["a cat sleeps", "a dog runs", "a dog runs"]
    assert batch.references[0] == ("a cat sleeps", "a cat", "the cat naps")


def change_caption(study):
    Candidate.objects.filter(dataset=study.dataset, key="dog-first").update(text="a dog jumps")


def change_reference(study):
    Reference.objects.filter(image__dataset=study.dataset, text="a cat").update(text="one cat")


def change_documents(study):
    add_item(study, "dog", position=5, other=True)


@pytest.mark.parametrize("change", [change_caption, change_reference, change_documents])
def test_digest_follows_all_that_a_score_depends_on(change):
    study = make_rows()
    before = build(study).digest

    change(study)

    assert build(study).digest != before


def test_digest_does_not_depend_on_the_dataset():
    assert build(make_rows("one")).digest == build(make_rows("two")).digest


def test_saving_again_makes_the_old_identity_the_newest():
    study = make_rows()
    rows = build(study)
    first = rows.save(now=NOW)
    change_caption(study)
    build(study).save(now=NOW + timedelta(days=1))
    Candidate.objects.filter(key="dog-first").update(text="a dog runs")

    again = build(study).save(now=NOW + timedelta(days=2))

    assert again.pk == first.pk
    assert ScoringInput.objects.order_by("-created_at").first() == first
    assert (first.level, first.references, first.n_rows, first.digest) == ("segment", "all", 6, rows.digest)
