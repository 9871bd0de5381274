import pytest

from studies.analysis.disagreements.ranking import METRICS, PEOPLE, RATERS, Comparison, rank_items
from studies.analysis.disagreements.shown_items import Votes, show_items, write_ranking
from studies.analysis.explorer.loaded_study import NothingToExplore, open_study
from studies.enums import TaskKind
from studies.models import Item
from tests.factories.studies import make_judgment, make_rater
from tests.studies.rated import make_voted_study
from tests.studies.scored import list_items, make_scored_study

pytestmark = pytest.mark.django_db


def rank(study, kind=PEOPLE, **fields):
    return rank_items(open_study(study), Comparison(kind, **fields))


def keys(ranking):
    return [Item.objects.get(pk=int(ranking.items[row])).key for row in ranking.rows]


def test_items_that_a_metric_and_people_place_furthest_apart_come_first():
    # `length` gives 2, 3, 4, 5; people 4, 1, 2, 3. Percentiles: 1/8, 3/8, 5/8, 7/8 against 7/8, 1/8, 3/8, 5/8.
    study = make_scored_study(values=(4, 1, 2, 3))

    ranking = rank(study, metric="length")

    assert keys(ranking) == ["item-0", "item-1", "item-2", "item-3"]
    assert ranking.sizes.tolist() == [0.75, 0.25, 0.25, 0.25]
    assert ranking.n_missing == 0


def test_two_metrics_are_compared():
    study = make_scored_study(values=(1, 2, 3))

    ranking = rank(study, METRICS, metric="length", other="rouge-l")

    # `rouge-l` is 0 throughout: everything stands in the middle, so that the ends are apart by a third.
    assert keys(ranking) == ["item-0", "item-2"]
    assert ranking.sizes.tolist() == pytest.approx([1 / 3, 0, 1 / 3])
    assert ranking.comparison == Comparison(METRICS, "length", "rouge-l")


def test_raters_are_compared_by_their_spread_with_or_without_scores():
    study = make_scored_study(values=(1, 2, 3), score=False)
    second = make_rater(study, "second")
    for item, value in zip(list_items(study), (1, 4, 4), strict=True):
        make_judgment(item, second, value)

    ranking = rank(study, RATERS)

    # Judgments 2 and 4; 3 and 4; equal ones do not differ.
    assert keys(ranking) == ["item-1", "item-2"]
    assert ranking.sizes.tolist() == pytest.approx([0, 2**0.5, 0.5**0.5])


def test_pairs_are_those_on_which_the_other_caption_is_chosen():
    study = make_voted_study()

    ranking = rank(study, metric="length")

    assert ranking.is_pairwise
    votes, margins = ranking.people.values, ranking.metrics["length"].percentiles
    opposed = {row for row in range(len(votes)) if votes[row] * margins[row] < 0}
    assert set(ranking.rows.tolist()) == opposed
    sizes = ranking.sizes[ranking.rows].tolist()
    assert sizes == sorted(sizes, reverse=True)
    assert study.kind == TaskKind.PAIRWISE


def test_what_is_missing_is_told():
    with pytest.raises(NothingToExplore, match=r"manage\.py score"):
        rank(make_scored_study("unscored", score=False), metric="length")
    study = make_scored_study()
    for fields, message in (
        ({"metric": "cider"}, "there are no scores of cider; there are scores of: length, rouge-l"),
        ({"kind": METRICS, "metric": "length", "other": "length"}, "two different metrics with scores"),
        ({"systems": ("third",)}, "no system 'third'"),
    ):
        with pytest.raises(NothingToExplore, match=message):
            rank(study, **fields)


def test_item_is_shown_with_votes_scores_and_common_words(django_assert_num_queries):
    study = make_scored_study(values=(4, 1, 2, 3))
    image = list_items(study)[0].image
    image.references.update(text="A word of image 0.")
    ranking = rank(study, metric="rouge-l")

    ranking = rank(study, metric="length")
    with django_assert_num_queries(2):
        first, *_ = show_items(ranking, start=0, stop=10)

    assert (first.rank, first.item.key, first.size, first.mean, first.percentile) == (1, "item-0", 0.75, 4.0, 87.5)
    assert first.votes == (Votes(4.0, 1, 100),)
    assert [(each.metric, each.value, each.percentile, each.is_compared) for each in first.scores] == [
        ("length", 2.0, 12.5, True),
        ("rouge-l", 0.0, 50.0, False),
    ]
    assert [[(word.text, word.run) for word in caption.words] for caption in first.captions] == [
        [("word", 1), ("word", 1)]
    ]
    assert [(word.text, word.run) for word in first.references[0]] == [
        ("a", 0), ("word", 1), ("of", 0), ("image", 0), ("0", 0),
    ]  # fmt: skip


def test_file_has_every_item_in_order():
    study = make_scored_study(values=(4, 1, 2))

    head, first, *_ = write_ranking(rank(study, metric="length"), study=study)

    assert head.strip() == (
        "rank,item,image,system,category,apart,judgments,mean_judgment,percentile_of_people,length,percentile_of_length,"
        "rouge-l,percentile_of_rouge-l"
    )
    assert first.strip().startswith("1,item-0,image-0,first,,0.66666666666666")
    assert first.strip().endswith(",2.0,0.16666666666666666,0.0,0.5")
