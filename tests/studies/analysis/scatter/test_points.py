import pytest

from studies.analysis.scatter.points import NoScatter, load_scatter
from studies.enums import TaskKind
from studies.models import Candidate
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items, make_scored_study


@pytest.mark.django_db
def test_load_scatter_of_ratings():
    points = load_scatter(make_scored_study(values=(1, 3, 2)), metric="length")

    assert points.items.tolist() == ["item-0", "item-1", "item-2"]
    assert points.judgments.tolist() == [1, 3, 2]
    assert points.scores.tolist() == [2, 3, 4]
    assert points.judgment_title == "individual judgments (flickr8k-expert@1)"
    assert points.score_title == "length"
    assert points.n_missing == 0


@pytest.mark.django_db
def test_load_scatter_of_pairs():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=1, protocol="spice-u-pascal@1")
    Candidate.objects.filter(key="first-0").update(text="one two three")
    Candidate.objects.filter(key="second-0").update(text="one")
    for number, value in enumerate((1, 1, -1, 1)):
        make_judgment(list_items(study)[0], make_rater(study, f"rater-{number}"), value)
    score_study(study, now=lambda: NOW, metrics=["length"])

    points = load_scatter(study, metric="length")

    assert (points.judgments.tolist(), points.scores.tolist()) == ([0.5], [2])
    assert points.judgment_title == "mean vote, +1 for the first caption (spice-u-pascal@1)"
    assert points.score_title == "length, first caption minus second"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("metric", "message"),
    [("cider", "has no scores of cider"), ("nonsense", "no installed plugin has a metric 'nonsense'")],
)
def test_load_scatter_without_scores(metric, message):
    study = make_scored_study()

    with pytest.raises(NoScatter, match=message):
        load_scatter(study, metric=metric)
