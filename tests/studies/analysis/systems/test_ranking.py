import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.ranking.rank import rank_by_means
from studies.analysis.systems.ranking import find_ranking, rank_study
from studies.enums import TaskKind
from studies.models import Candidate, Exclusion, Item, Judgment, Rater
from tests.factories.studies import NOW, make_study
from tests.studies.analysis.ranked import make_ranked_study

pytestmark = pytest.mark.django_db

TWO = "custom@1|rows:all|refs:all|ratings:each|crit:fluency+adequacy|level:item|coef:kendall-c"


def as_values(ranking):
    return {each.system: each.value for each in ranking.systems}


def mean_of(study, **chosen):
    values = Judgment.objects.filter(item__task__study=study, **chosen).values_list("value", flat=True)
    return pytest.approx(float(np.mean(values)))


def test_ratings_rank_by_their_mean():
    study = make_ranked_study()

    found = rank_study(study, resamples=100)

    (ranking,) = found.rankings
    assert as_values(ranking) == {
        name: mean_of(study, item__candidate__system__name=name) for name in ("best", "middle", "worst")
    }
    assert [each.system for each in ranking.systems] == ["best", "middle", "worst"]
    assert [each.letters for each in ranking.systems] == ["a", "b", "c"]
    assert found.name_measure(ranking) == "mean rating"
    rows = Judgment.objects.values_list(
        "item__candidate__system__name", "value", "item__image__key", "rater__pseudonym"
    )
    system, value, image, rater = zip(*rows, strict=True)
    expected = rank_by_means(system, value, image=image, rater=rater, bounds=(1, 4), request=ranking.request)
    assert [each.error for each in ranking.systems] == pytest.approx([each.error for each in expected.systems])


@pytest.mark.parametrize(
    ("kind", "measures", "title"),
    [
        (TaskKind.TURING, ["mean"], "share taken for a person's"),
        (TaskKind.SET_RATING, ["mean"], "mean rating of caption sets"),
        (TaskKind.PAIRWISE, ["bradley-terry", "win-share"], "Bradley-Terry strength"),
        (TaskKind.BEST_WORST, ["mean", "bradley-terry"], "best-worst score"),
    ],
)
def test_each_kind_has_its_measures(kind, measures, title):
    found = rank_study(make_ranked_study(kind=kind), resamples=50)

    assert [each.measure for each in found.rankings] == measures
    assert found.name_measure(found.rankings[0]) == title
    for ranking in found.rankings:
        assert [each.system for each in ranking.systems] == ["best", "middle", "worst"]


def test_shares_of_wins_are_counted_from_both_sides():
    study = make_ranked_study(kind=TaskKind.PAIRWISE)
    given = Judgment.objects.values_list(
        "item__candidate__system__name", "item__other_candidate__system__name", "value"
    )
    wins = {"best": [], "middle": [], "worst": []}
    for first, second, value in given:
        wins[first].append((1 + value) / 2)
        wins[second].append((1 - value) / 2)

    found = rank_study(study, resamples=50)

    assert as_values(found.rankings[1]) == {name: pytest.approx(np.mean(each)) for name, each in wins.items()}


def test_a_system_compared_with_itself_is_left_out():
    study = make_ranked_study(kind=TaskKind.PAIRWISE)
    item = Item.objects.order_by("pk").first()
    same = Candidate.objects.filter(system=item.candidate.system).exclude(pk=item.candidate_id).first()
    Item.objects.filter(pk=item.pk).update(other_candidate=same)

    found = rank_study(study, resamples=50)

    assert found.n_left_out == 3
    assert found.rankings[0].n == 3 * 3 * 12 - 3


def test_a_study_with_two_criteria_has_a_ranking_of_each():
    study = make_ranked_study(protocol=TWO, categories=("fluency", "adequacy"))
    Judgment.objects.filter(item__category="adequacy", item__candidate__system__name="best").update(value=1)

    found = rank_study(study, resamples=50)

    assert [(each.criterion, each.systems[0].system) for each in found.rankings] == [
        ("fluency", "best"),
        ("adequacy", "middle"),
    ]
    assert found.main == found.rankings


def test_excluded_raters_do_not_count():
    study = make_ranked_study()
    liar = Rater.objects.get(pseudonym="rater-00")
    Exclusion.objects.create(rater=liar, reason="by hand", decided_at=NOW)

    (ranking,) = rank_study(study, resamples=50).rankings

    assert (ranking.n, ranking.n_raters) == (2 * 3 * 12, 2)
    assert as_values(ranking)["best"] == mean_of(
        study, item__candidate__system__name="best", rater__pseudonym__in=["rater-01", "rater-02"]
    )


def test_placeholders_are_not_resampled():
    study = make_ranked_study(n_raters=12)
    assert rank_study(study, resamples=50).rankings[0].resampled == ("images", "raters")

    Rater.objects.update(is_placeholder=True)

    (ranking,) = rank_study(study, resamples=50).rankings
    assert ranking.resampled == ("images",)
    assert "it is not known who gave which judgment" in ranking.notes[0]


def test_what_cannot_be_ranked_says_why():
    alone = make_study("alone", n_tasks=3)
    with pytest.raises(CorrelationInputError, match="study alone has no judgments yet"):
        rank_study(alone)
    one = make_ranked_study("one")
    Judgment.objects.exclude(item__candidate__system__name="best").delete()
    with pytest.raises(CorrelationInputError, match="has judgments of best only: systems can be ranked if"):
        rank_study(one)
    Exclusion.objects.bulk_create(
        Exclusion(rater=rater, reason="by hand", decided_at=NOW) for rater in Rater.objects.filter(study=one)
    )
    with pytest.raises(CorrelationInputError, match="all of its raters are excluded"):
        rank_study(one)


def test_the_page_has_the_newest_numbers():
    study = make_ranked_study()
    first = find_ranking(study, now=NOW).made
    Judgment.objects.filter(item__candidate__system__name="worst").update(value=4)
    rater = Rater.objects.create(study=study, pseudonym="late", joined_at=NOW)
    Judgment.objects.create(item=Item.objects.first(), rater=rater, value=1, created_at=NOW)

    again = find_ranking(study, now=NOW).made

    assert (first.rankings[0].systems[0].system, again.rankings[0].systems[0].system) == ("best", "worst")


def test_the_page_of_a_study_without_judgments_has_the_problem():
    found = find_ranking(make_study("alone"), now=NOW).made

    assert (found.rankings, found.problem) == ((), "study alone has no judgments yet")
