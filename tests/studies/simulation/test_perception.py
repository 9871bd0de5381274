"""Tests of the artificial qualities of captions: shared by raters, fixed by the seed, and related to the references."""

from statistics import mean

import pytest
from scipy.stats import spearmanr

from studies.enums import TaskKind
from studies.models import Candidate, Item, Reference
from studies.simulation.perception import Perception, make_qualities, share_words
from tests.factories.open_studies import make_designed_study

pytestmark = pytest.mark.django_db
WORDS = ["a", "brown", "dog", "runs", "over", "the", "wet", "green", "grass", "of", "some", "park"]
SEEDS = range(40)


@pytest.fixture
def study():
    """Twelve tasks; the caption of the Nth has the first N words of the reference, and others."""
    study = make_designed_study(n_tasks=12)
    Reference.objects.update(text=" ".join(WORDS))
    for number, item in enumerate(Item.objects.order_by("task__position")):
        others = [f"other{position}" for position in range(len(WORDS) - number)]
        Candidate.objects.filter(pk=item.candidate_id).update(text=" ".join(WORDS[:number] + others))
    return study


def _list(study, seed=0):
    """Return the qualities in the order of tasks."""
    found = make_qualities(study, seed=seed)
    return [
        next(iter(found[pk].values())) for pk in Item.objects.order_by("task__position").values_list("pk", flat=True)
    ]


def test_quality_is_fixed_by_caption_and_seed(study) -> None:
    assert _list(study) == _list(study)
    assert _list(study, seed=1) != _list(study)
    assert all(0 <= quality <= 1 for seed in SEEDS for quality in _list(study, seed))


def test_quality_rises_with_the_words_of_references_and_by_chance(study) -> None:
    every = [_list(study, seed) for seed in SEEDS]

    means = [mean(qualities) for qualities in zip(*every, strict=True)]
    # The lowest of twelve ranks is 1/24: 0.5 + 0.7 * (1/24 - 0.5); three standard errors of 0.15 over 40 seeds.
    assert means[0] == pytest.approx(0.18, abs=0.07)
    assert means[-1] == pytest.approx(0.82, abs=0.07)
    correlations = [spearmanr(qualities, range(12)).statistic for qualities in every]
    assert 0.6 < mean(correlations) < 0.95


def test_without_references_it_is_chance_alone(study) -> None:
    Reference.objects.all().delete()

    correlations = [spearmanr(_list(study, seed), range(12)).statistic for seed in SEEDS]

    # Three standard errors of 1/sqrt(11) over 40 seeds.
    assert abs(mean(correlations)) < 0.15
    assert all(0 <= quality <= 1 for quality in _list(study))


def test_artificial_quality_uses_the_anchor_if_there_is_one() -> None:
    study = make_designed_study(n_tasks=1, kind=TaskKind.PAIRWISE, has_anchors=True)
    item = Item.objects.get()
    Reference.objects.create(image=item.image, position=1, text=item.other_candidate.text)
    Reference.objects.filter(pk=item.anchor_id).update(text=item.candidate.text)

    leads = [
        found[item.candidate.text] - found[item.other_candidate.text]
        for found in (make_qualities(study, seed=seed)[item.pk] for seed in SEEDS)
    ]

    # Of two captions ranks are 1/4 and 3/4.
    assert mean(leads) == pytest.approx(0.35, abs=0.11)


@pytest.mark.parametrize("kind", list(TaskKind))
def test_every_caption_that_is_shown_has_a_quality(kind) -> None:
    study = make_designed_study(kind=kind)

    found = make_qualities(study, seed=5)

    assert found.keys() == set(Item.objects.values_list("pk", flat=True))
    for item in Item.objects.all():
        texts = {each.text for each in (item.candidate, item.other_candidate) if each}
        texts |= {each.text for each in item.caption_set.candidates.all()} if item.caption_set else set()
        assert found[item.pk].keys() == texts


@pytest.mark.parametrize(
    ("caption", "reference", "expected"),
    [
        ("A dog.", "a DOG", 1.0),
        ("a dog", "a cat sat", 0.4),
        ("a dog a dog", "a dog", 1.0),
        ("...", "!", 0.0),
        ("", "a", 0),
    ],
)
def test_words_in_common(caption, reference, expected) -> None:
    assert share_words(caption, reference) == pytest.approx(expected)


def test_perceptions_differ_and_come_again() -> None:
    perceptions = [Perception.draw({}, seed=3, number=number) for number in range(20)]

    assert Perception.draw({}, seed=3, number=4).rater == perceptions[4].rater
    assert len({perception.rater for perception in perceptions}) == 20
    seen = [mean(perception.perceive(quality) for perception in perceptions) for quality in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert spearmanr(seen, range(5)).statistic == pytest.approx(1)
