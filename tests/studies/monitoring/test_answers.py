import pytest

from studies.analysis.cached_results import StudyInputs
from studies.analysis.systems.files import write_headline
from studies.analysis.systems.ranking import rank_study
from studies.enums import TaskKind
from studies.models import StudyVersion
from studies.monitoring.answers import Answer, GivenAnswers, find_answers, list_answers
from studies.monitoring.live.snapshot import Agreement
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.rated import make_voted_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def judge(study, *values):
    for number, value in enumerate(values):
        make_judgment(list_items(study)[0], make_rater(study, f"rater-{number}"), value)
    return study


def test_every_point_of_the_scale_is_an_answer_even_if_nobody_chose_it():
    answers = list_answers(judge(make_open_study(n_tasks=1, raters_per_task=4), 4.0, 4.0, 1.0, 2.0))

    assert [(each.label[:2], each.n, each.share) for each in answers] == [
        ("1 ", 1, 25.0),
        ("2 ", 1, 25.0),
        ("3 ", 0, 0.0),
        ("4 ", 2, 50.0),
    ]


def test_votes_are_named_and_no_preference_only_where_it_is_offered():
    study = judge(make_study(kind=TaskKind.PAIRWISE), 1.0, -1.0, 1.0)

    def list_with(**design):
        StudyVersion.objects.filter(study=study).update(design=design)
        return [(each.label, each.n) for each in list_answers(study)]

    assert list_with(allows_no_preference=False) == [("second caption", 1), ("first caption", 2)]
    assert list_with(allows_no_preference=True) == [("second caption", 1), ("no preference", 0), ("first caption", 2)]


def test_many_values_are_divided_into_ten_intervals():
    study = make_study()
    StudyVersion.objects.filter(study=study).update(design={})
    answers = list_answers(judge(study, *(float(value) for value in range(0, 101, 5))))

    assert [each.n for each in answers] == [2] * 9 + [3]
    assert [answers[0].label, answers[-1].label] == ["0\N{EN DASH}10", "90\N{EN DASH}100"]


def test_nothing_is_listed_without_judgments():
    assert list_answers(make_study()) == ()


def test_the_headline_names_the_most_frequent_answer():
    given = GivenAnswers((Answer("1 Bad", 1, 25.0), Answer("4 Good", 3, 75.0)), Agreement())

    assert given.headline == "The most frequent judgment is “4 Good”: 75 % of 4"
    assert given.chart.text == "Bar chart of 4 judgments: 1 Bad 1 (25 %); 4 Good 3 (75 %)."
    assert GivenAnswers((), Agreement()).headline == ""


@pytest.mark.django_db(transaction=True)
def test_comparisons_are_answered_by_the_ranking_of_systems():
    study = make_voted_study(score=False)

    found = find_answers(study, StudyInputs(study), now=NOW, wait=True).made

    ranked = rank_study(study)
    assert found.headline == write_headline(ranked, ranked.main[0])
    assert ranked.main[0].systems[0].system in found.headline


def test_ratings_are_answered_by_the_most_frequent_judgment():
    study = judge(make_study(), 2, 2, 3)

    found = find_answers(study, StudyInputs(study), now=NOW, wait=True).made

    assert (found.ranking, found.headline.split(":")[1]) == ("", " 67 % of 3")
