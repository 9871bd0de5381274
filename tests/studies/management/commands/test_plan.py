import json

import pytest
from django.core.management import CommandError, call_command

from tests.studies.rated import make_rated_study


def plan(capsys, *arguments):
    capsys.readouterr()
    call_command("plan", *arguments)
    return capsys.readouterr().out


def test_prints_the_plan_its_cost_and_what_it_assumes(capsys):
    asked = ("--first", ".6", "--second", ".5", "--between", ".7", "--seconds", "20", "--wage", "12", "--fee", ".25")

    # 311 is the example of `plan_metric_difference`; 311 * 20 s at 12 an hour and a quarter are 25.92.
    assert plan(capsys, "metric-difference", *asked).splitlines() == [
        "311 items, 311 judgments",
        "detects a difference of 0.1 with power 0.800 at alpha 0.05",
        "1.7 hours, cost 25.92",
        "assumes",
        "  reliability    1",
        "  first          0.6",
        "  second         0.5",
        "  between        0.7",
        "  raters         1",
        "  power          0.8",
        "  alpha          0.05",
        "  design effect  1",
    ]


def test_json(capsys):
    found = json.loads(plan(capsys, "preference", "--share", ".6", "--json"))

    assert list(found) == ["what", "assumptions", "plan", "cost"]
    assert (found["plan"]["unit"], found["plan"]["n"], found["cost"]) == ("pairs", 204, None)


@pytest.mark.django_db
def test_a_pilot_gives_the_same_plan_for_the_same_seed(capsys):
    make_rated_study()
    asked = ("metric-difference", "--pilot", "rated", "--of", "length,rouge-l", "--resamples", "50", "--seed", "2")

    printed = plan(capsys, *asked)

    assert printed.splitlines()[2].startswith("assumes")
    assert "  n pilot             12\n  judgments per unit  3\n" in printed
    assert plan(capsys, *asked) == printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["best"], "invalid choice: 'best'"),
        (["preference"], "missing: --share"),
        (["preference", "--share", "much"], "invalid float value: 'much'"),
    ],
)
def test_what_cannot_be_planned_is_said(arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("plan", *arguments)


@pytest.mark.django_db
def test_an_unknown_pilot():
    with pytest.raises(CommandError, match="there is no study 'nobody'"):
        call_command("plan", "preference", "--pilot", "nobody", "--of", "a,b")
