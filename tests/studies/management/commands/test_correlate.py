import json
from dataclasses import fields

import pytest
from django.core.management import CommandError, call_command

from studies.domain.analysis import ResultRow
from tests.studies.domain.scoring.rows import add_item
from tests.studies.domain.test_analysis import make_judged, make_sibling
from tests.studies.domain.test_judgments import judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = make_judged()
    call_command("score", study.name, "--metrics", "length")
    return study


def correlate(capsys, *arguments):
    capsys.readouterr()
    call_command("correlate", *arguments)
    return capsys.readouterr()


def test_json_has_the_agreed_fields(study, capsys):
    printed = json.loads(correlate(capsys, "rows", "--metrics", "length", "--json").out)

    assert [field.name for field in fields(ResultRow)] == [
        *("study", "protocol", "metric", "coefficient", "level", "category", "value", "low", "high"),
        *("n", "n_missing", "signature"),
    ]
    signature = "length|tok:ptb|v:1 / custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson"
    assert printed == [
        {
            "study": "rows",
            "protocol": "custom@1",
            "metric": "length",
            "coefficient": "pearson",
            "level": "item",
            "category": None,
            "value": pytest.approx(3**0.5 / 2),
            "low": None,
            "high": None,
            "n": 3,
            "n_missing": 0,
            "signature": signature,
        }
    ]


def test_table_is_aligned_and_signed(study, capsys):
    printed = correlate(capsys, "rows", "--metrics", "length")

    assert printed.out.splitlines() == [
        "rows, custom@1",
        "",
        "metric  coefficient  level  category   x100  low  high  n  missing",
        "length  pearson      item             86.60    -     -  3        0",
        "",
        "length|tok:ptb|v:1 / custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson",
    ]
    assert printed.err == ""


def test_metrics_without_scores_are_noted(study, capsys):
    printed = correlate(capsys, "rows", "--json")

    assert [row["metric"] for row in json.loads(printed.out)] == ["length"]
    assert printed.err.startswith("note: without scores: bleu-1, bleu-2")


def test_the_sibling_used_is_noted(study, capsys):
    sibling = make_sibling(study, "direct", protocol="composite@1")
    add_item(sibling, "dog", position=0)
    add_item(sibling, "sea", position=1)
    judge(sibling, (3, 1))
    call_command("score", study.name, "--metrics", "length")

    printed = correlate(capsys, "rows", "--protocol", "composite@1", "--metrics", "length", "--json")

    assert printed.err == "note: composite@1 takes the judgments of direct\n"
    assert [row["study"] for row in json.loads(printed.out)] == ["direct"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], r"there is no study 'nobody' \(there are: rows\)"),
        (["rows", "--metrics", "bleu-1"], "run: manage.py score rows --metrics bleu-1"),
        (["rows", "--option", "ratings=best"], "unknown rule `ratings` 'best'"),
    ],
)
def test_what_cannot_be_correlated_is_said(study, arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("correlate", *arguments)
