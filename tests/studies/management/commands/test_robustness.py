import json

import pytest
from django.core.management import CommandError, call_command

from tests.studies.analysis.test_robustness import make_described_dataset

pytestmark = pytest.mark.django_db


def test_areas_are_printed_and_curves_written(capsys, tmp_path):
    make_described_dataset()
    path = tmp_path / "curves.json"

    call_command("robustness", "animals", "--metrics", "length,bleu-1", "--steps", "2", "--out", str(path))

    printed = capsys.readouterr().out
    assert printed.startswith("Images: 6; dropped (no second reference): 1.")
    assert "| metric | AUC RC | AUC WP | AUC RW | unchanged (mean) |" in printed
    assert [curve["metric"] for curve in json.loads(path.read_text())["curves"]] == ["length"] * 3 + ["bleu-1"] * 3


def test_one_seed_prints_the_same_numbers(capsys):
    make_described_dataset()
    command = ("robustness", "animals", "--metrics", "bleu-2", "--distortions", "rc,wp", "--summary", "system")

    printed = []
    for seed in ("1", "1", "2"):
        call_command(*command, "--seed", seed)
        printed.append(capsys.readouterr().out)

    assert printed[0] == printed[1] != printed[2]
    assert "AUC RW" not in printed[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing", "--metrics", "length"), r"there is no dataset 'nothing' \(known: animals\)"),
        (("animals", "--metrics", "nothing"), "no installed plugin has a metric 'nothing'"),
        (("animals", "--metrics", ""), "at least one metric"),
        (("animals", "--metrics", "length", "--distortions", "xy"), "one of rc, wp, rw"),
        (("animals", "--metrics", "length", "--out", "curves.gif"), "is written as"),
        (("animals", "--metrics", "length", "--seed", "-1"), "the seed must be a whole number from 0"),
        (("animals", "--metrics", "length", "--corpus", "none.txt"), r"none\.txt: cannot be read"),
        (("animals",), "--metrics"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, message):
    make_described_dataset()

    with pytest.raises(CommandError, match=message):
        call_command("robustness", *arguments)


def test_without_a_dataset_the_way_to_one_is_said():
    with pytest.raises(CommandError, match="known: none; see import_data"):
        call_command("robustness", "animals", "--metrics", "length")
