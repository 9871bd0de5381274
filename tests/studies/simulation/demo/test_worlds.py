"""The worlds of the demo: judged by truth, and open to visitors."""

from pathlib import Path

import pytest

from studies.enums import StudyState
from studies.models import Candidate, Image, Judgment, Study
from studies.simulation.demo.loading import DemoNameTaken
from studies.simulation.demo.worlds import load_worlds_demo
from tests.factories.studies import NOW, make_dataset, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_truth_and_the_same_captions_for_visitors() -> None:
    computed, opened = load_worlds_demo(owner=make_user("demo"), now=NOW)

    assert (computed.name, computed.state, computed.is_computed) == ("demo-worlds", StudyState.CLOSED, True)
    assert (opened.name, opened.state, opened.is_computed) == ("demo-worlds-open", StudyState.OPEN, False)
    systems = ["false-color", "false-relation", "false-shape", "other-image", "true", "ungrammatical"]
    assert list(computed.dataset.systems.order_by("name").values_list("name", flat=True)) == systems
    # The captions of the system `true` are true, all others are not.
    judged = Judgment.objects.filter(rater__study=computed).values_list("item__candidate__system__name", "value")
    assert sorted(judged) == sorted((system, float(system == "true")) for system in systems for _ in range(8))
    items = [
        set(Candidate.objects.filter(pk__in=study.tasks.values("items__candidate")).values_list("key", flat=True))
        for study in (computed, opened)
    ]
    assert len(items[0]) == 48
    assert items[0] == items[1]
    assert Image.objects.exclude(file="").filter(world__isnull=False).count() == 8


def test_a_second_time_changes_only_the_owner() -> None:
    first = load_worlds_demo(owner=make_user("demo"), now=NOW)
    other = make_user("other")

    again = load_worlds_demo(owner=other, now=NOW)

    assert [study.pk for study in again] == [study.pk for study in first]
    assert {study.owner for study in again} == {other}


def test_a_dataset_of_others_by_the_same_name_is_left_alone() -> None:
    make_dataset("demo-worlds")

    with pytest.raises(DemoNameTaken, match=r"^dataset demo-worlds: not part of the demo"):
        load_worlds_demo(owner=make_user("demo"), now=NOW)

    assert not Study.objects.exists()
