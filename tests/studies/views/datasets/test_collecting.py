"""Tests of adding the captions that raters wrote to a dataset, on its page."""

import pytest

from studies.collection.lifecycle import close_study
from studies.enums import Interface, TaskKind
from studies.models import AuditEntry, Candidate, Item, Study
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study

pytestmark = pytest.mark.django_db
PAGE = "/studies/writing/dataset/"


@pytest.fixture
def study(owner):
    """An open study of two images, each described by a rater."""
    study = make_open_study("writing", kind=TaskKind.CAPTION)
    study.owner = owner
    study.save()
    rater = make_rater(study)
    for item in Item.objects.filter(task__study=study):
        make_judgment(item, rater, None, answer={"caption": f"A dog in {item.key}.", "warnings": []})
    return study


def test_captions_of_a_closed_study_become_candidates(researcher, study) -> None:
    close_study(study, now=NOW)
    shown = researcher.get(PAGE).content.decode()

    added = researcher.post(f"{PAGE}collect/", {"system": "people"}, follow=True).content.decode()
    again = researcher.post(f"{PAGE}collect/", {"system": "people"}, follow=True).content.decode()

    assert "Add the captions that raters wrote" in shown
    assert "2 captions were added as candidates of people; 0 were there before." in added
    assert "0 captions were added as candidates of people; 2 were there before." in again
    assert Candidate.objects.filter(author__isnull=False).count() == 2
    entry = AuditEntry.objects.filter(action="captions_collected").get()
    assert (entry.actor_name, entry.interface) == ("owner", Interface.PAGE)


def test_open_study_must_be_closed_first(researcher, study) -> None:
    shown = researcher.get(PAGE).content.decode()

    refused = researcher.post(f"{PAGE}collect/", {"system": "people"})

    assert "Add the captions that raters wrote" not in shown
    assert refused.status_code == 422
    assert "Study writing must be closed first" in refused.content.decode()
    assert not Candidate.objects.filter(author__isnull=False).exists()


def test_dataset_of_others_too_is_not_changed(researcher, study) -> None:
    close_study(study, now=NOW)
    Study.objects.filter(pk=make_study("theirs").pk).update(dataset=study.dataset)

    refused = researcher.post(f"{PAGE}collect/", {"system": "people"})

    assert "Other studies use this dataset" in refused.content.decode()
    assert not Candidate.objects.filter(author__isnull=False).exists()
