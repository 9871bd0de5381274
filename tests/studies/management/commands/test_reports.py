from json import loads

import pytest
from django.core.management import CommandError, call_command

from studies.models import FrozenReport
from studies.shared.reports import mark_stale
from tests.factories.studies import NOW
from tests.studies.preregistered import make_preregistration
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def test_report_is_frozen_listed_printed_and_written(capsys, tmp_path):
    study = make_rated_study()
    capsys.readouterr()

    call_command("freeze_report", "rated", "--ci", "images", "--resamples", "50", "--seed", "3")
    frozen = FrozenReport.objects.get()
    assert capsys.readouterr().out == f"study rated: report 1, SHA-256 {frozen.digest}\n"

    mark_stale(study, reason="a rater withdrew", now=NOW)
    call_command("show_report", "rated")
    assert capsys.readouterr().out.splitlines()[1].split()[2:] == [frozen.digest[:12], "a", "rater", "withdrew"]
    call_command("show_report", "rated", "1")
    printed = capsys.readouterr()
    assert "| metric" in printed.out
    assert "note: stale since 2025-03-01: a rater withdrew" in printed.err

    call_command("show_report", "rated", "1", "--out", str(tmp_path / "r.json"))
    assert (tmp_path / "r.json").read_text() == frozen.content


def test_same_seed_freezes_the_same_bytes():
    make_rated_study()
    for _ in range(2):
        call_command("freeze_report", "rated", "--ci", "images", "--resamples", "50", "--seed", "3")

    first, second = FrozenReport.objects.all()
    assert first.digest == second.digest


def test_unknown_number_is_refused():
    make_rated_study(score=False)

    with pytest.raises(CommandError, match="has no report 3"):
        call_command("show_report", "rated", "3")


@pytest.mark.parametrize("named", ["", "length,rouge-l"])
def test_preregistered_metrics_are_reported_unless_others_are_named(named):
    make_preregistration(make_rated_study())

    call_command("freeze_report", "rated", f"--metrics={named}")

    frozen = FrozenReport.objects.get()
    assert [each["id"] for each in loads(frozen.content)["metrics"]] == (named or "length").split(",")
    assert any("metrics added" in each for each in frozen.facts["deviations"]) is bool(named)
