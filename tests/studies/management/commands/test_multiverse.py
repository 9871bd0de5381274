import json

import pytest
from django.core.management import CommandError, call_command

from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def test_prints_who_wins_and_where(capsys, tmp_path):
    make_rated_study()
    path = tmp_path / "multiverse.json"

    call_command(
        *("multiverse", "rated", "--aggregations", "each,mean", "--measures", "item:kendall-c,item:pearson"),
        *("--out", str(path)),
    )

    heading, ranks, choices, signature = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert heading == "rated, 4 universes"
    assert [line.split() for line in ranks.splitlines()] == [
        ["metric", "wins", "mean", "rank", "best", "worst", "undefined"],
        ["length", "100.0", "%", "1.00", "1", "1", "0"],
        ["rouge-l", "0.0", "%", "2.00", "2", "2", "0"],
    ]
    assert [line.split() for line in choices.splitlines()[1:]] == [
        ["aggregation", "each", "length", "2"],
        ["aggregation", "mean", "length", "2"],
        ["level", "item", "length", "4"],
        ["coefficient", "kendall-c", "length", "2"],
        ["coefficient", "pearson", "length", "2"],
    ]
    assert signature.startswith("custom@1|rows:all")
    assert json.loads(path.read_text())["wins"] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "there is no study 'nobody'"),
        (["rated", "--aggregations", "best"], "unknown aggregation 'best'"),
        (["rated", "--measures", "item"], "a measure is written level:coefficient, got 'item'"),
        (["rated", "--out", "multiverse.docx"], "a multiverse is written as .json"),
    ],
)
def test_what_cannot_be_ranked_is_said(arguments, message):
    make_rated_study()

    with pytest.raises(CommandError, match=message):
        call_command("multiverse", *arguments)
