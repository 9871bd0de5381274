"""The made-up qualities of captions: shared by raters, fixed by the seed, near the references, and by chance."""

from statistics import mean

import pytest
from scipy.stats import spearmanr

from annotation_ui.rehearsal.perceiving import Taste, find_qualities, make_quality
from studies.domain.assigning import lease_task
from studies.domain.queries.shown_tasks import load_shown_items
from studies.enums import TaskKind
from studies.models import Reference
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

REFERENCES = ["a brown dog runs over the grass", "a dog at play"]
SEEDS = range(200)


def test_quality_is_fixed_by_caption_and_seed():
    def make(seed, caption="a dog"):
        return make_quality(caption, REFERENCES, seed=seed)

    assert make(1) == make(1)
    assert len({make(seed) for seed in SEEDS}) > 150
    assert make(1) != make(1, "a cat")
    assert all(0 <= make(seed) <= 1 for seed in SEEDS)


def test_caption_nearer_to_a_reference_is_better_by_and_large():
    captions = ("a ship", "a dog", "a brown dog runs", "a brown dog runs over the grass")

    means = [mean(make_quality(caption, REFERENCES, seed=seed) for seed in SEEDS) for caption in captions]

    # Words in common with the nearest reference, as F-measures: 2/6, 4/6, 8/11 (of the first), 1.
    assert means == sorted(means)
    assert means[0] == pytest.approx(1.3 / 3, abs=0.05)
    assert means[-1] > 0.95
    # Chance is in it, too: a worse caption may be the better one.
    worse, better = ([make_quality(caption, REFERENCES, seed=seed) for seed in SEEDS] for caption in captions[:2])
    assert any(one > other for one, other in zip(worse, better, strict=True))


def test_without_references_it_is_chance_alone():
    captions = [f"caption {number}" for number in range(300)]

    qualities = [make_quality(caption, [], seed=1) for caption in captions]

    # Uniform: mean 1/2, three standard errors of 1/sqrt(12 * 300).
    assert mean(qualities) == pytest.approx(0.5, abs=0.05)
    assert qualities == [make_quality(caption, [], seed=1) for caption in captions]


def test_caption_without_words_is_no_crash():
    assert 0 <= make_quality("...", ["!"], seed=1) <= 1


def test_tastes_differ_and_come_again():
    tastes = [Taste.draw(seed=3, number=number) for number in range(20)]

    assert Taste.draw(seed=3, number=4).rater == tastes[4].rater
    assert len({taste.rater for taste in tastes}) == 20
    seen = [mean(taste.perceive(quality) for taste in tastes) for quality in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert spearmanr(seen, range(5)).statistic == pytest.approx(1)


@pytest.mark.django_db
@pytest.mark.parametrize("has_anchors", [False, True])
@pytest.mark.parametrize("kind", [TaskKind.PAIRWISE, TaskKind.SET_RATING, TaskKind.BEST_WORST])
def test_qualities_stand_in_the_order_shown(kind, has_anchors):
    assignment = lease_task(make_rater(make_open_study(kind=kind, has_anchors=has_anchors)), now=NOW)
    items = load_shown_items(assignment)
    every = list(Reference.objects.filter(image=assignment.task.items.first().image).values_list("text", flat=True))

    found = find_qualities(items, seed=5)

    assert every
    assert found == {
        shown.pk: tuple(make_quality(text, [shown.anchor] if has_anchors else every, seed=5) for text in shown.captions)
        for shown in items
    }
