"""Tests of `--json` of commands on studies; tests/accordance/test_json.py tests that all have it."""

import json

import pytest
from django.core.management import call_command

from studies.management.printing.values import print_values
from tests.studies.rated import make_rated_study


def test_values_that_json_lacks() -> None:
    assert json.loads(print_values({"a": float("nan"), "b": (1, float("inf")), "c": "é"})) == {
        "a": None,
        "b": [1, None],
        "c": "é",
    }


@pytest.mark.django_db
def test_a_multiverse_and_reports_are_printed_as_they_are_written(capsys, tmp_path) -> None:
    make_rated_study()
    call_command("freeze_report", "rated", "--resamples", "50")
    capsys.readouterr()
    printed = []
    measures = ("--measures", "item:pearson")

    for command in (["multiverse", "rated", *measures], ["show_report", "rated", "1"]):
        path = tmp_path / f"{command[0]}.json"
        call_command(*command, "--out", str(path))
        capsys.readouterr()
        call_command(*command, "--json")
        printed.append((json.loads(capsys.readouterr().out), json.loads(path.read_text())))
    call_command("show_report", "rated", "--json")
    (listed,) = json.loads(capsys.readouterr().out)
    call_command("matrix", "rated", "--json")
    matrix = json.loads(capsys.readouterr().out)

    assert [one == other for one, other in printed] == [True, True]
    assert (listed["number"], len(listed["digest"]), listed["stale_reason"]) == (1, 64, "")
    assert matrix


@pytest.mark.django_db
def test_quality_and_submissions(capsys) -> None:
    make_rated_study()

    call_command("quality", "rated", "--json")
    quality = json.loads(capsys.readouterr().out)
    call_command("panel_report", "rated", "--json")
    submissions = json.loads(capsys.readouterr().out)

    assert quality["excluded"] == []
    assert all(isinstance(each["rater"], str) for each in quality["raters"])
    assert submissions["rows"] == []


@pytest.mark.django_db
def test_scores_of_a_study(capsys) -> None:
    make_rated_study()

    call_command("score", "rated", "--metrics", "bleu-1", "--json")

    report = json.loads(capsys.readouterr().out)
    assert report["failures"] == []
    assert [metric["metric"] for given in report["inputs"] for metric in given["metrics"]] == ["bleu-1"]
