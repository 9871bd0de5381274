from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.db.models import Count, Sum
from PIL import Image as Picture

from annotation_ui.kinds.caption_rules import Strictness, list_broken
from correlation.protocols.reading import read_protocol
from studies.enums import StudyState, TaskKind
from studies.models import Assignment, Candidate, Dataset, Image, Item, Judgment, Rater, Slot, Study, Task
from studies.simulation.demo.content import DATA, read_content
from studies.simulation.demo.designs import STUDIES
from studies.simulation.demo.loading import DemoNameTaken, load_demo
from tests.factories.studies import NOW, make_dataset, make_study, make_user


@pytest.fixture
def studies(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    owner = make_user("demo")
    return load_demo(read_content(DATA), owner=owner, now=NOW, rng=np.random.default_rng(1))


def count(study):
    return {
        "tasks": Task.objects.filter(study=study).count(),
        "items": Item.objects.filter(task__study=study).count(),
        "slots": Slot.objects.filter(task__study=study).count(),
        "judgments": Judgment.objects.filter(item__task__study=study).count(),
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("make", "name", "message"),
    [
        (make_dataset, "demo", "^dataset demo: not part of the demo"),
        (make_study, "demo-rating", "^study demo-rating: not part of the demo"),
    ],
)
def test_data_of_others_by_the_same_name_are_left_alone(make, name, message):
    make(name)

    with pytest.raises(DemoNameTaken, match=message):
        load_demo((), owner=make_user("demo"), now=NOW, rng=np.random.default_rng(1))

    assert not Study.objects.filter(owner__isnull=False).exists()


def test_there_is_a_simulated_and_an_open_study_of_each_kind(studies):
    # 12 images, 4 systems, hence 6 pairs; 9 simulated raters; 20 slots for visitors in each task.
    assert {study.name: (study.kind, study.state, *count(study).values()) for study in studies} == {
        "demo-rating": (TaskKind.RATING, StudyState.CLOSED, 12, 48, 0, 432),
        "demo-rating-open": (TaskKind.RATING, StudyState.OPEN, 12, 48, 240, 0),
        "demo-pairwise": (TaskKind.PAIRWISE, StudyState.CLOSED, 72, 72, 0, 648),
        "demo-pairwise-open": (TaskKind.PAIRWISE, StudyState.OPEN, 12, 12, 240, 0),
        "demo-sets": (TaskKind.SET_RATING, StudyState.CLOSED, 12, 48, 0, 432),
        "demo-sets-open": (TaskKind.SET_RATING, StudyState.OPEN, 12, 48, 240, 0),
        "demo-slider": (TaskKind.RATING, StudyState.CLOSED, 12, 48, 0, 432),
        "demo-slider-open": (TaskKind.RATING, StudyState.OPEN, 12, 48, 240, 0),
        "demo-turing": (TaskKind.TURING, StudyState.CLOSED, 12, 48, 0, 432),
        "demo-turing-open": (TaskKind.TURING, StudyState.OPEN, 12, 48, 240, 0),
        "demo-best-worst": (TaskKind.BEST_WORST, StudyState.CLOSED, 12, 48, 0, 432),
        "demo-best-worst-open": (TaskKind.BEST_WORST, StudyState.OPEN, 12, 48, 240, 0),
        # Of the 60 captions of people 50 have eight words or more.
        "demo-captions": (TaskKind.CAPTION, StudyState.CLOSED, 12, 12, 0, 50),
        "demo-captions-open": (TaskKind.CAPTION, StudyState.OPEN, 12, 12, 240, 0),
    }


def test_simulated_judgments_are_marked_and_within_the_scale(studies):
    values = {
        study.name: set(Judgment.objects.filter(item__task__study=study).values_list("value", flat=True))
        for study in studies
    }

    assert values["demo-rating"] == {1.0, 2.0, 3.0, 4.0}
    assert values["demo-pairwise"] == {1.0, -1.0}
    assert 0.0 <= min(values["demo-sets"]) < max(values["demo-sets"]) <= 1.0
    assert values["demo-turing"] == {0.0, 1.0}
    assert values["demo-best-worst"] == {-1.0, 0.0, 1.0}
    assert 0.0 <= min(values["demo-slider"]) < 50 < max(values["demo-slider"]) <= 100
    assert values["demo-captions"] == {None}
    assert all(answer["simulated"] for answer in Judgment.objects.values_list("answer", flat=True))
    assert Assignment.objects.count() == 0
    assert set(Rater.objects.values_list("is_placeholder", flat=True)) == {False}
    assert ["(simulated)" in study.title for study in studies] == [study.is_simulated for study in STUDIES]


def test_best_and_worst_of_each_task_are_one_each(studies):
    judged = Judgment.objects.filter(item__task__study__name="demo-best-worst")

    sums = judged.order_by().values("rater", "item__task").annotate(total=Sum("value"), n=Count("pk"))
    assert {(row["total"], row["n"]) for row in sums} == {(0.0, 4)}
    assert judged.exclude(value=0).count() == 2 * 9 * 12


def test_written_captions_keep_the_rules_of_their_page(studies):
    written = Judgment.objects.filter(item__task__study__name="demo-captions").values_list("answer__caption", flat=True)

    assert [caption for caption in written if list_broken(caption, Strictness.BLOCKS)] == []


def test_captions_and_pictures_are_there(studies):
    assert Candidate.objects.count() == 12 * 4 * 5
    assert Candidate.objects.get(key="sailboat-human-1").caption_set.candidates.count() == 5
    kite = Path(Image.objects.get(key="kite").file.path)
    assert kite.read_bytes() == (DATA / "images" / "kite.png").read_bytes()


def test_a_second_time_changes_only_the_owner(studies):
    owner = make_user("other")

    again = load_demo(read_content(DATA), owner=owner, now=NOW, rng=np.random.default_rng(2))

    assert [study.pk for study in again] == [study.pk for study in studies]
    assert {study.owner for study in again} == {owner}
    assert Dataset.objects.count() == 1


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_protocols_can_be_read(study):
    assert read_protocol(study.protocol).signature.startswith(study.protocol)
    assert len(study.protocol) <= 100


@pytest.mark.django_db
def test_pictures_are_stored_without_metadata(tmp_path) -> None:
    photo = tmp_path / "photo.jpg"
    Picture.new("RGB", (40, 20)).save(photo, comment="planted-secret")
    first, *others = read_content(DATA)

    owner, rng = make_user("demo"), np.random.default_rng(1)
    load_demo([replace(first, file=photo), *others], owner=owner, now=NOW, rng=rng)

    with Image.objects.get(key=first.key).file.open("rb") as stored:
        content = stored.read()
    assert b"planted-secret" in photo.read_bytes()
    assert b"planted-secret" not in content
