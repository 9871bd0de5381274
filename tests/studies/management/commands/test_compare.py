import json
import re

import pytest
from django.core.management import CommandError, call_command

from correlation.reports.json_form import read_report
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def compare(capsys, *arguments):
    capsys.readouterr()
    call_command("compare", *arguments)
    return capsys.readouterr().out


def test_prints_letters_pairs_and_signatures(capsys):
    make_rated_study()

    printed = compare(capsys, "rated", "length", "rouge-l", "--resamples", "50", "--seed", "4")

    lines = printed.splitlines()
    assert lines[0] == "rated, kendall-c at level item, n = 36, missing 0"
    assert lines[2].split() == ["metric", "letters", "x100"]
    assert [line.split()[0] for line in lines[3:5]] == ["length", "rouge-l"]
    assert lines[6].split() == ["better", "worse", "x100", "low", "high", "p", "p", "adjusted"]
    assert re.fullmatch(r"length  rouge-l +\d+\.\d\d    -     -  0\.\d{4} +0\.\d{4}", lines[7])
    assert lines[9:] == [
        "custom@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-c"
        " / test:perm-input|n:50|correction:holm|alpha:0.05 / seed:4",
        "length|tok:ptb|v:1",
        "rouge-l|tok:ptb|beta:1.2|v:1",
    ]
    assert compare(capsys, "rated", "--resamples", "50", "--seed", "4") == printed


def test_json_is_the_whole_report(capsys):
    make_rated_study()

    printed = compare(capsys, "rated", "--test", "bootstrap", "--ci", "images,raters", "--resamples", "50", "--json")

    report = read_report(printed)
    assert json.loads(printed)["design"]["clusters"] == ["images", "raters"]
    (difference,) = report.differences
    assert difference.low < difference.difference < difference.high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "there is no study 'nobody'"),
        (["rated", "length"], "must be two or more different metrics"),
        (["rated", "length", "wrods"], "no installed plugin has a metric 'wrods'"),
        (["rated", "--test", "best"], "invalid choice: 'best'"),
        (["rated", "--test", "williams"], "test 'williams' is for Pearson"),
        (["rated", "--test", "perm-both", "--ci", "images"], "--ci belongs to test 'bootstrap', got --test perm-both"),
        (["rated", "--resamples", "0"], "`n_resamples` must be at least 1, got 0"),
    ],
)
def test_what_cannot_be_compared_is_said(arguments, message):
    make_rated_study()

    with pytest.raises(CommandError, match=message):
        call_command("compare", *arguments)


def test_units_to_resample_choose_the_bootstrap(capsys):
    make_rated_study()

    printed = compare(capsys, "rated", "length", "rouge-l", "--ci", "images", "--resamples", "50", "--seed", "4")

    assert " / test:bootstrap|resampled:images|n:50|" in printed
    with pytest.raises(CommandError, match="bootstrap"):
        compare(capsys, "rated", "length", "rouge-l", "--test", "perm-both", "--ci", "images")
