"""Tests of the datasets and metrics that a host can choose from."""

import pytest

from challenges.errors import ChallengeRefused
from challenges.hosting.choices import check_choices, list_datasets, list_metrics
from challenges.hosting.plans import ChallengePlan, MetricPlan, PhasePlan, ReferencesPlan
from tests.factories.studies import NOW, make_dataset, make_study, make_user


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


@pytest.mark.django_db
def test_a_plan_names_only_what_its_maker_can_choose():
    owner = make_user("owner")
    make_study("own", owner=owner)
    make_study("others", owner=make_user("other"))

    check_choices(make_plan("own-data", "rouge-l"), user=owner)
    with pytest.raises(ChallengeRefused, match="there is no dataset 'others-data' with references in a study"):
        check_choices(make_plan("others-data", "rouge-l"), user=owner)
    with pytest.raises(ChallengeRefused, match="phase dev: challenges do not allow the metric 'clip-score'"):
        check_choices(make_plan("own-data", "clip-score"), user=owner)


def make_plan(dataset, metric):
    phase = PhasePlan(
        slug="dev",
        title="Development",
        opens_at=NOW,
        closes_at=NOW,
        metrics=(MetricPlan(metric=metric),),
        references=(ReferencesPlan(name="all"),),
    )
    return ChallengePlan(slug="planned", title="Planned", dataset=dataset, phases=(phase,))
