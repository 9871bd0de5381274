"""Tests that written captions become candidates with their authors, once."""

from random import Random

import pytest

from studies.collection.lifecycle import close_study, open_study
from studies.collection.privacy.withdrawal import withdraw
from studies.datasets.collecting import CannotCollect, CollectedCaptions, collect_captions
from studies.enums import StudyState, TaskKind, TaskRole
from studies.models import AuditEntry, Candidate, CaptionSet, Exclusion, Item, Judgment, Study, System, Task
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study

pytestmark = pytest.mark.django_db
CAPTION = "A brown dog leaps over a fallen log."


@pytest.fixture
def study(settings, tmp_path) -> Study:
    """A closed study of two images, each described by two raters."""
    settings.MEDIA_ROOT = tmp_path
    study = make_open_study("writing", kind=TaskKind.CAPTION)
    raters = [make_rater(study, name) for name in ("ann", "bob")]
    for item in Item.objects.filter(task__study=study):
        for rater in raters:
            make_judgment(item, rater, None, answer={"caption": f"{CAPTION} {item.key} {rater}", "warnings": []})
    close_study(study, now=NOW)
    study.refresh_from_db()
    return study


def _list_written():
    fields = ("system__name", "system__is_human", "image__key", "text", "author__pseudonym")
    return list(Candidate.objects.filter(author__isnull=False).order_by("pk").values_list(*fields))


def test_captions_become_candidates_with_their_authors(study: Study) -> None:
    done = collect_captions(study, system="people", now=NOW)

    assert done == CollectedCaptions("writing", "people", n_new=4, n_known=0)
    assert _list_written() == [
        ("people", True, f"image-{image}", f"{CAPTION} item-{image}-0 {rater}", rater)
        for image in (0, 1)
        for rater in ("ann", "bob")
    ]
    sets = CaptionSet.objects.filter(system__name="people")
    assert [caption_set.candidates.count() for caption_set in sets] == [2, 2]


def test_surplus_captions_are_left_out(study: Study) -> None:
    Judgment.objects.filter(rater__pseudonym="ann").update(surplus_since=NOW)

    collect_captions(study, system="people", now=NOW)

    assert [row[-1] for row in _list_written()] == ["bob", "bob"]


def test_second_time_adds_only_what_is_new(study: Study) -> None:
    collect_captions(study, system="people", now=NOW)
    before = _list_written()
    make_judgment(Item.objects.first(), make_rater(study, "eve"), None, answer={"caption": CAPTION})

    done = collect_captions(study, system="people", now=NOW)

    assert (done.n_new, done.n_known) == (1, 4)
    assert _list_written() == [*before, ("people", True, "image-0", CAPTION, "eve")]


def test_excluded_raters_and_other_roles_are_left_out(study: Study) -> None:
    Exclusion.objects.create(rater=study.raters.get(pseudonym="ann"), reason="Spam.", decided_at=NOW)
    Exclusion.objects.create(rater=study.raters.get(pseudonym="bob"), reason="Error.", decided_at=NOW, lifted_at=NOW)
    Study.objects.filter(pk=study.pk).update(started_at=None, state=StudyState.DRAFT)
    Task.objects.filter(position=1).update(role=TaskRole.TRAINING)
    Study.objects.filter(pk=study.pk).update(started_at=NOW, state=StudyState.CLOSED)

    done = collect_captions(study, system="people", now=NOW)

    assert done.n_new == 1
    assert [(row[2], row[4]) for row in _list_written()] == [("image-0", "bob")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"state": StudyState.OPEN}, "study writing must be closed first"),
        ({"kind": TaskKind.TURING}, "study writing: captions are collected in studies of kind caption, got turing"),
    ],
)
def test_study_must_be_closed_and_of_captions(study: Study, change: dict, message: str) -> None:
    Study.objects.filter(pk=study.pk).update(**change)

    with pytest.raises(CannotCollect, match=message):
        collect_captions(Study.objects.get(pk=study.pk), system="people", now=NOW)

    assert _list_written() == []


def test_nothing_written_is_said() -> None:
    empty = make_study(kind=TaskKind.CAPTION, state=StudyState.CLOSED)

    with pytest.raises(CannotCollect, match="study study has no written captions"):
        collect_captions(empty, system="people", now=NOW)


def test_a_machine_system_is_refused_for_written_captions(study: Study) -> None:
    System.objects.create(dataset=study.dataset, name="model")

    with pytest.raises(CannotCollect, match="system model of dataset writing-data is not a human system"):
        collect_captions(study, system="model", now=NOW)


def test_sets_that_are_judged_cannot_grow(study: Study) -> None:
    collect_captions(study, system="people", now=NOW)
    judging = Study.objects.create(
        dataset=study.dataset, name="sets", kind=TaskKind.SET_RATING, protocol="diversity@1", created_at=NOW
    )
    caption_set = CaptionSet.objects.filter(system__name="people").first()
    task = Task.objects.create(study=judging, position=0)
    Item.objects.create(task=task, position=0, key="set", image=caption_set.image, caption_set=caption_set)
    Study.objects.filter(pk=judging.pk).update(state=StudyState.CLOSED, started_at=NOW)

    with pytest.raises(CannotCollect, match="caption sets of system people are judged in study sets"):
        collect_captions(study, system="people", now=NOW)


def test_reopened_study_is_collected_again_after_closing(study: Study) -> None:
    collect_captions(study, system="people", now=NOW)
    open_study(study, now=NOW)
    close_study(study, now=NOW)
    study.refresh_from_db()

    assert collect_captions(study, system="people", now=NOW).n_known == 4


def test_captions_of_who_withdraws_go_unless_they_are_judged(study: Study) -> None:
    collect_captions(study, system="people", now=NOW)
    ann = study.raters.get(pseudonym="ann")
    judged = Candidate.objects.filter(author=ann).first()
    task = Task.objects.create(study=make_study("rating"), position=9)
    Item.objects.create(task=task, position=0, key="judged", image=judged.image, candidate=judged)

    withdraw(study.raters.get(pseudonym="bob"), erase_judgments=False, now=NOW, rng=Random(1))
    withdraw(ann, erase_judgments=True, now=NOW, rng=Random(2))

    assert [(text, author) for *_, text, author in _list_written() if author == "ann"] == [(judged.text, "ann")]
    assert Candidate.objects.filter(author__pseudonym="bob").count() == 2


def test_collecting_is_written_down_where_something_came_of_it(study: Study) -> None:
    collect_captions(study, system="people", now=NOW)
    collect_captions(study, system="people", now=NOW)

    entry = AuditEntry.objects.get(action="captions_collected")
    assert (entry.interface, entry.details) == ("command", {"system": "people", "captions": 4})
