import json

import pytest
from django.core.management import CommandError, call_command

from tests.factories.studies import make_study
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def agree(capsys, *arguments):
    capsys.readouterr()
    call_command("agreement", *arguments)
    return capsys.readouterr().out


def test_prints_coefficients_ceilings_and_reasons(capsys):
    make_rated_study(score=False, are_placeholders=True)

    printed = agree(capsys, "rated", "--resamples", "50", "--seed", "3")

    name, agreement, ceilings, reasons, signature = printed.rstrip("\n").split("\n\n")
    assert name == "rated"
    assert agreement.splitlines()[0].split()[:4] == ["agreement", "criterion", "value", "low"]
    assert [line.split()[0] for line in agreement.splitlines()[1:4]] == ["krippendorff-nominal", "fleiss", "cohen-none"]
    assert agreement.splitlines()[3].split() == ["cohen-none", "-", "-", "-", "0", "12", "3"]
    assert [line.split()[:3] for line in ceilings.splitlines()[1:]] == [
        ["split-half", "kendall-c", "item"],
        ["split-half", "kendall-b", "item"],
    ]
    assert reasons == (
        "cohen-none, cohen-linear, cohen-quadratic, icc-2, icc-3, icc-2k, icc-3k: undefined, its raters are "
        "placeholders (first vote, second vote, ...), not individual raters, and cannot be compared"
    )
    assert signature == (
        "custom@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-c / ci:percentile|n:50|confidence:0.95|seed:3"
    )


def test_json_has_the_same_numbers(capsys):
    make_rated_study(score=False)

    printed = agree(capsys, "rated", "--resamples", "50", "--json")

    found = json.loads(printed)
    assert list(found) == ["study", "protocol", "resamples", "seed", "agreement", "ceilings", "truth"]
    assert list(found["agreement"][0]) == [
        *("criterion", "coefficient", "value", "low", "high", "n_items", "n_left_out", "n_raters", "reason"),
    ]
    assert [row["method"] for row in found["ceilings"]][::2] == ["mean-pairwise", "leave-one-out", "split-half"]
    assert agree(capsys, "rated", "--resamples", "50", "--json") == printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "there is no study 'nobody'"),
        (["empty"], "study empty has no judgments yet"),
        (["rated", "--resamples", "0"], "`n_resamples` must be at least 1, got 0"),
        (["rated", "--protocol", "best"], "unknown protocol 'best'"),
    ],
)
def test_what_cannot_be_measured_is_said(arguments, message):
    make_rated_study(score=False)
    make_study("empty")

    with pytest.raises(CommandError, match=message):
        call_command("agreement", *arguments)
