"""Tests of the planner's page, with the results of the command, from assumptions or from a pilot."""

from html import unescape

import pytest

from correlation.planning.sizes import plan_metric_difference, plan_preference
from studies.models import Study
from tests.factories.studies import make_study, make_user
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/study/design/planner/"


@pytest.fixture
def study(owner):
    return make_study(owner=owner)


def test_form_comes_without_an_answer(researcher, study) -> None:
    response = researcher.get(ADDRESS)

    assert response.status_code == 200
    assert "The study needs" not in response.content.decode()


def test_plan_has_numbers_and_cost(researcher, study) -> None:
    # 311 items is the number of the planning function's own example.
    assumed = {"first": 0.6, "second": 0.5, "between": 0.7}
    page = researcher.get(ADDRESS, {"what": "metric-difference", **assumed, "wage": 12, "seconds": 30}).content.decode()

    plan = plan_metric_difference(**assumed)
    assert plan.n == 311
    assert "The study needs 311 items" in page
    # 311 judgments of 30 seconds at 12 an hour.
    assert "<dd>2.6</dd>" in page
    assert "<dd>31.10</dd>" in page
    assert "80 % power to find a difference of 0.1 between the correlations of two metrics with people" in page
    assert "at a significance level of 0.05 (two-sided)" in page
    assert "correlation of metric 1 0.6, correlation of metric 2 0.5, correlation between the metrics 0.7" in page


def test_power_is_drawn_and_stands_in_a_table(researcher, study) -> None:
    page = researcher.get(ADDRESS, {"what": "preference", "share": 0.6}).content.decode()

    plan = plan_preference(share=0.6)
    last = plan.curve[-1]
    assert f'aria-label="Power curve: {plan.power:.0%} with {plan.n} pairs' in page
    assert '<path d="M' in page
    assert f'<th scope="row" class="number">{last.n}</th><td class="number">{last.power:.3f}</td>' in page
    assert "style=" not in page


def test_preference_is_planned(researcher, study) -> None:
    page = researcher.get(ADDRESS, {"what": "preference", "share": 0.6, "ties": 0.1}).content.decode()

    assert f"The study needs {plan_preference(share=0.6, ties=0.1).n:,} pairs" in page


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"what": "metric-difference", "first": 0.6}, "This is needed, unless a pilot study is chosen."),
        ({"what": "preference", "share": 0.6, "first": 0.1}, "This is not for the chosen question."),
        ({"what": "preference", "share": 2}, "This must be in (0, 1), got 2.0."),
        ({"what": "preference", "share": "much"}, "Enter a number."),
        ({"what": "nothing"}, "Select a valid choice."),
        ({"what": "preference", "share": 0.6, "wage": 3}, "computing the cost needs seconds per judgment"),
        ({"what": "preference", "pilot": "elsewhere"}, "Select a valid choice. elsewhere is not one of"),
    ],
)
def test_what_cannot_be_planned_is_said(researcher, study, given, problem) -> None:
    make_scored_study("elsewhere", owner=make_user("stranger"))

    response = researcher.get(ADDRESS, given)

    assert response.status_code == 422
    assert problem in unescape(response.content.decode())


def test_pilot_gives_what_is_not_assumed(researcher, study, owner) -> None:
    pilot = make_scored_study("pilot", values=(1, 2, 4, 3, 2, 1, 2, 4, 3, 2), owner=owner)
    Study.objects.filter(pk=pilot.pk).update(state="open", started_at=pilot.created_at)

    page = researcher.get(
        ADDRESS, {"what": "metric-difference", "pilot": "pilot", "first_name": "length", "second_name": "rouge-l"}
    )

    # ROUGE-L is 0 throughout, its correlation undefined.
    assert page.status_code == 422
    assert "pilot pilot: the difference of length and rouge-l is undefined" in page.content.decode()
