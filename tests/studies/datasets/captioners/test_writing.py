"""Tests of captioners as systems: what is stored, and that a refusal stores nothing."""

import numpy as np
import pytest
from django.conf import settings as current

from captioning.api import BadCaptions, CaptionBatch, Captioner, CaptionerInfo, Decoding, ImageInput
from studies.access.audit import COMMAND_LINE, Actor
from studies.datasets.captioners.dataset_images import ColumnFiles
from studies.datasets.captioners.errors import CannotCaption
from studies.datasets.captioners.writing import caption_dataset
from studies.enums import AuditAction, Interface
from studies.models import AuditEntry, Candidate, CaptionSet, Dataset, System
from studies.shared.errors import ImportFailed
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_study, make_user

pytestmark = pytest.mark.django_db


class Seeing(Captioner):
    """Tells the mean red of an image, and how many files it was given."""

    info = CaptionerInfo(
        id="seeing", title="Seeing", inputs=frozenset({ImageInput.PIXELS, ImageInput.FILES}), version="2", citation="No"
    )

    def caption(self, images, *, n=1, decoding=None, rng):
        assert all(path.is_file() for path in images.files)
        rows = [int(own[..., 0].mean()) for own in images.pixels]
        captions = tuple(tuple(f"red {row} number {place}" for place in range(n)) for row in rows)
        return CaptionBatch(images.keys, captions, np.full((len(rows), n), np.nan))


class Random(Captioner):
    info = CaptionerInfo(id="random", title="Random", inputs=frozenset(), version="1", citation="No", can_score=True)

    def caption(self, images, *, n=1, decoding=None, rng):
        captions = tuple((f"word {rng.integers(10**9)}",) * n for _ in images.keys)
        return CaptionBatch(images.keys, captions, np.full((len(images), n), -1.0))


class Empty(Random):
    def caption(self, images, **given):
        return CaptionBatch(images.keys, (("",),) * len(images), np.full((len(images), 1), -1.0))


@pytest.fixture
def study(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return make_designed_study(n_tasks=2)


def write(study, captioner=None, **changes):
    given = {"system": "mine", "now": NOW, "actor": COMMAND_LINE, "files": ColumnFiles(size=8)} | changes
    return caption_dataset(study.dataset, captioner or Seeing(), **given)


def test_captions_become_candidates_of_a_new_system(study) -> None:
    written = write(study)
    system = System.objects.get(name="mine")
    rows = list(Candidate.objects.filter(system=system).values_list("image__key", "key", "text", "caption_set"))
    assert rows == [
        ("image-0", "mine-image-0", "red 40 number 0", None),
        ("image-1", "mine-image-1", "red 100 number 0", None),
    ]
    assert system.captioner == written.record.to_json()
    assert (system.captioner["captioner"], system.captioner["version"], system.is_human) == ("seeing", "2", False)
    assert str(written) == "study-data: 2 captions of 2 images written as system mine by seeing|v:2|n:1|seed:0"


def test_several_captions_are_caption_sets(study) -> None:
    write(study, n=3)
    sets = CaptionSet.objects.filter(system__name="mine").order_by("pk")
    assert [each.image.key for each in sets] == ["image-0", "image-1"]
    assert list(sets[1].candidates.values_list("key", "text")) == [
        (f"mine-image-1-{number}", f"red 100 number {number - 1}") for number in (1, 2, 3)
    ]


def test_captions_follow_the_seed_and_the_decoding_is_recorded(study) -> None:
    decoding = Decoding.parse("sample,temperature=0.5")
    for name, seed in (("one", 1), ("again", 1), ("two", 2)):
        write(study, Random(), system=name, seed=seed, decoding=decoding)
    texts = [
        list(Candidate.objects.filter(system__name=name).values_list("text", flat=True))
        for name in ("one", "again", "two")
    ]
    assert texts[0] == texts[1] != texts[2]
    assert System.objects.get(name="two").captioner["decoding"] == "sample,temperature=0.5"


def test_all_studies_of_the_dataset_record_it(study) -> None:
    owner = make_user()
    write(study, actor=Actor(owner, Interface.PAGE))
    (entry,) = AuditEntry.objects.filter(action=AuditAction.CAPTIONED)
    assert (entry.study, entry.actor) == (study, owner)
    assert entry.details == {"system": "mine", "captions": 2, "captioner": "seeing"}


@pytest.mark.parametrize(
    ("captioner", "changes", "error", "message"),
    [
        (Seeing(), {"system": "study-good"}, CannotCaption, "already has a system study-good"),
        (Seeing(), {"system": " "}, CannotCaption, "1 to 100 characters"),
        (Seeing(), {"files": ColumnFiles()}, CannotCaption, r"not squares of one size \(480x320\)"),
        (Empty(), {}, BadCaptions, "captioner 'random', image 'image-0': caption 1 must have a word"),
    ],
)
def test_refusal_stores_nothing(study, captioner, changes, error, message) -> None:
    System.objects.filter(dataset=study.dataset).first()
    System.objects.create(dataset=study.dataset, name="study-good")
    before = System.objects.count(), Candidate.objects.count()
    with pytest.raises(error, match=message):
        write(study, captioner, **changes)
    assert (System.objects.count(), Candidate.objects.count()) == before


def test_missing_image_files_are_told() -> None:
    with pytest.raises(
        CannotCaption, match=r"captioner seeing reads image files, but 2 of 2 images of dataset study-data"
    ):
        write(make_study(n_tasks=2))


def test_keys_that_exist_are_refused(study) -> None:
    image = study.dataset.images.first()
    other = System.objects.create(dataset=study.dataset, name="other")
    Candidate.objects.create(dataset=study.dataset, image=image, system=other, key="mine-image-0", text="x")
    with pytest.raises(CannotCaption, match="already has candidates with keys of system mine"):
        write(study)
    assert not System.objects.filter(name="mine").exists()


def test_long_keys_are_shortened_and_stay_different(study) -> None:
    study.dataset.images.filter(key="image-0").update(key="a" * 200)
    study.dataset.images.filter(key="image-1").update(key="a" * 199 + "b")
    write(study, system="s" * 100, n=2)
    keys = list(Candidate.objects.filter(system__name="s" * 100).values_list("key", flat=True))
    assert len(set(keys)) == 4
    assert max(map(len, keys)) <= 250


def test_captions_count_for_the_quota_of_bytes(study, settings) -> None:
    owner = make_user()
    study.owner = owner
    study.save()
    write(study, actor=Actor(owner, Interface.PAGE))
    assert Dataset.objects.get(pk=study.dataset_id).n_bytes == len("red 40 number 0") + len("red 100 number 0")
    Dataset.objects.filter(pk=study.dataset_id).update(n_bytes=current.ACCORDANCE_ACCOUNT_MB << 20)
    with pytest.raises(ImportFailed, match="may store at most"):
        write(study, system="more", actor=Actor(owner, Interface.PAGE))
    settings.ACCORDANCE_CAPTIONS = 3
    with pytest.raises(CannotCaption, match="at most 3 captions can be written at once, asked for 4"):
        write(study, system="more", n=2, actor=Actor(owner, Interface.PAGE))
    assert write(study, system="more", n=2).n_captions == 4
