import json

import pytest
from django.core.management import CommandError, call_command

from studies.enums import TaskKind
from tests.factories.studies import make_study
from tests.studies.analysis.ranked import make_ranked_study

pytestmark = pytest.mark.django_db


def rank(capsys, *arguments):
    capsys.readouterr()
    call_command("rank_systems", *arguments)
    return capsys.readouterr().out


def test_prints_systems_differences_and_what_explains_them(capsys):
    make_ranked_study()

    printed = rank(capsys, "ranked", "--resamples", "100", "--seed", "3")

    name, systems, differences, told, signature = printed.rstrip("\n").split("\n\n")
    assert name == "ranked"
    assert [line.split()[:2] for line in systems.splitlines()] == [
        ["system", "letters"],
        ["best", "a"],
        ["middle", "b"],
        ["worst", "c"],
    ]
    assert systems.splitlines()[1].split()[-3:] == ["36", "12", "3"]
    assert [line.split()[2:4] for line in differences.splitlines()[1:]] == [
        ["best", "middle"],
        ["best", "worst"],
        ["middle", "worst"],
    ]
    assert told.splitlines() == [
        "Intervals: 95 %, bootstrap over images, 100 resamples",
        "Systems that share a letter do not differ significantly (Holm, alpha 0.05)",
        "raters are not resampled, since there are only 3 raters, fewer than 10: the intervals hold for these raters",
    ]
    assert signature == "ranking:mean|ci:bootstrap-t|resampled:images|n:100|correction:holm|alpha:0.05|seed:3"


def test_few_images_are_a_caution(capsys):
    make_ranked_study(n_images=6)

    printed = rank(capsys, "ranked", "--resamples", "50")

    assert "caution: only 6 images, fewer than 10: differences are not tested" in printed
    assert "better" not in printed


def test_json_has_the_same_numbers(capsys):
    make_ranked_study(kind=TaskKind.PAIRWISE)

    found = json.loads(rank(capsys, "ranked", "--resamples", "50", "--json"))

    assert list(found) == ["format", "study", "kind", "rankings", "n_left_out"]
    strengths, wins = found["rankings"]
    assert (strengths["measure"], wins["measure"]) == ("bradley-terry", "win-share")
    assert list(strengths["systems"][0]) == [
        *("system", "value", "low", "high", "error", "letters", "n", "n_images", "n_raters")
    ]
    assert sum(each["value"] for each in strengths["systems"]) == pytest.approx(0)
    assert strengths["title"] == "Bradley-Terry strength"


@pytest.mark.parametrize(
    ("ending", "start"),
    [(".csv", b"system,letters,mean rating"), (".tex", b"% Needs"), (".md", b"**ranked"), (".svg", b"<svg")],
)
def test_writes_a_file(capsys, tmp_path, ending, start):
    make_ranked_study()
    path = tmp_path / f"systems{ending}"

    rank(capsys, "ranked", "--resamples", "50", "--out", str(path))

    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "there is no study 'nobody'"),
        (["empty"], "study empty has no judgments yet"),
        (["ranked", "--resamples", "1"], "`n_resamples` must be at least 2, got 1"),
        (["ranked", "--out", "systems.txt"], "a ranking is written as .csv, .json, .tex, .md, .svg, .pdf, .png, got"),
    ],
)
def test_what_cannot_be_ranked_is_said(arguments, message):
    make_ranked_study(n_images=2)
    make_study("empty")

    with pytest.raises(CommandError, match=message):
        call_command("rank_systems", *arguments)
