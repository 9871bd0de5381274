"""Tests of words for pages about what a study lacks, by the codes that its results carry."""

import pytest
from django.core.cache import cache

from correlation.errors import CorrelationInputError
from studies.analysis.explorer.choice import Choice
from studies.analysis.explorer.loaded_study import NothingToExplore, open_study
from studies.analysis.explorer.report import explore
from studies.analysis.results import load_results
from studies.shared.problems import Lack, Problem, lack_judgments, read_problem
from studies.templatetags.problems import for_page, lacks_judgments
from tests.factories.studies import make_study
from tests.studies.rated import make_rated_study


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (lack_judgments("ours"), "No judgments yet."),
        (Problem("study ours has no scores; run: manage.py score ours", Lack.SCORES), "No metric has been run yet."),
        (Problem("study ours has no judgments yet"), "study ours has no judgments yet"),
        ("study ours: 3 captions were added", "study ours: 3 captions were added"),
        ("", ""),
    ],
)
def test_lack_of_data_is_told_without_a_command_by_its_code(problem, shown):
    assert for_page(problem) == shown


def test_only_judgments_are_what_running_metrics_does_not_bring():
    assert lacks_judgments(lack_judgments("ours"))
    assert not lacks_judgments(Problem("study ours has no scores", Lack.SCORES))
    assert not lacks_judgments("study ours has no judgments yet")


def test_code_survives_exceptions_and_the_cache():
    passed_on = read_problem(NothingToExplore(read_problem(CorrelationInputError(lack_judgments("ours")))))

    cache.set("problem", passed_on)
    kept = cache.get("problem")

    assert (kept, kept.lack) == ("study ours has no judgments yet", Lack.JUDGMENTS)
    assert read_problem(CorrelationInputError("other")).lack is None


@pytest.mark.django_db
def test_results_and_explorer_tell_what_is_lacking():
    empty, unscored = make_study("empty"), make_rated_study("unscored", score=False)
    problems = [load_results(empty).problem, open_study(empty).problem, load_results(unscored).problem]

    with pytest.raises(NothingToExplore) as refusal:
        explore(open_study(unscored), Choice())
    with pytest.raises(NothingToExplore) as other:
        explore(open_study(unscored), Choice(references="exclude-candidate-per-row"))

    found = [getattr(each, "lack", None) for each in (*problems, read_problem(refusal.value))]
    assert found == [Lack.JUDGMENTS, Lack.JUDGMENTS, Lack.SCORES, Lack.SCORES]
    assert read_problem(other.value).lack is None
    assert "--protocol" in str(other.value)
