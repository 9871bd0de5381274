"""Tests of the datasets and metrics that a host can choose from."""

import pytest

from challenges.hosting.choices import list_datasets, list_metrics
from tests.factories.studies import make_dataset, make_study, make_user


def test_metrics_need_only_captions_and_references():
    found = {info.id for info in list_metrics()}

    assert {"bleu-4", "cider-d", "meteor", "rouge-l", "spice", "self-cider"} <= found
    # They need images, judgments, or worlds whose truth is known.
    assert not {"clip-score", "critic-judgments", "gtd-truthful"} & found


@pytest.mark.django_db
def test_datasets_are_those_of_own_studies_with_references():
    owner = make_user("owner")
    own = make_study("own", owner=owner).dataset
    make_study("others", owner=make_user("other"))
    make_dataset("without-a-study")

    assert list(list_datasets(owner)) == [own]
    assert {each.name for each in list_datasets(make_user("root", is_superuser=True))} == {"own-data", "others-data"}
