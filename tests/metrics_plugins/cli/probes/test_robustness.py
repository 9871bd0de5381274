"""Tests of `robustness` on files."""

import csv
import json
from pathlib import Path

import pytest

from tests.execution.clusters import run_cluster
from tests.metrics_plugins.cli.running import run_command, run_program, write_captions

NOUNS = ["dog", "cat", "bird", "horse", "cow", "sheep", "bear", "fox"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    captions = [(noun, f"{start} {noun} runs over the {noun} field") for noun in NOUNS for start in ("a", "the")]
    write_captions(tmp_path / "r.json", *captions, ("lone", "a wolf"))
    return tmp_path


def ruin(folder: Path, *arguments: str) -> str:
    result = run_command("robustness", "--references", "r.json", *arguments, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_areas_are_printed(folder: Path) -> None:
    printed = ruin(folder, "--metrics", "bleu-1,length", "--distortions", "wp,rw")

    assert printed.startswith("Images: 8; dropped (no second reference): 1. Reference 0 was distorted")
    assert "| metric | AUC WP | AUC RW | unchanged (mean) |" in printed
    assert "| length | 1.0000 | 1.0000 | 7.0000 |" in printed
    assert "| bleu-1 | 1.0000 | 0." in printed


def test_one_seed_gives_the_same_file_and_another_seed_another(folder: Path) -> None:
    for name, seed in (("a.csv", "1"), ("b.csv", "1"), ("c.csv", "2")):
        assert ruin(folder, "--metrics", "bleu-2", "--seed", seed, "--steps", "4", "--out", name) == ""

    a, b, c = ((folder / name).read_bytes() for name in ("a.csv", "b.csv", "c.csv"))
    assert a == b != c
    rows = list(csv.DictReader(a.decode().splitlines()))
    assert [row["strength"] for row in rows[:5]] == ["0.0", "0.25", "0.5", "0.75", "1.0"]
    assert len(rows) == 3 * 5


def test_a_sample_of_images_is_drawn_by_the_seed(folder: Path) -> None:
    found = []
    for name, seed in (("a.json", "1"), ("b.json", "1"), ("c.json", "5")):
        ruin(folder, "--metrics", "bleu-2", "--sample", "4", "--seed", seed, "--summary", "system", "--out", name)
        found.append(json.loads((folder / name).read_text()))

    assert found[0] == found[1] != found[2]
    assert (found[0]["n_images"] + found[0]["n_dropped"], found[0]["summary"]) == (4, "system")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--distortions", "rc,xy"), "--distortions must be some of rc, wp, rw, got 'xy'"),
        (("--position", "2"), "at least 3 references"),
        (("--param", "bleu-9.n=1"), "not among --metrics"),
        (("--out", "out.png"), "--out must end in .md, .json, .csv"),
        (("--out", "none/out.csv"), "must lie in an existing folder"),
        (("--corpus", "none.txt"), "none.txt: cannot be read"),
        (("--sample", "1"), "at least 2 images, got 1"),
    ],
)
def test_wrong_arguments_end_with_one_line(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run_command("robustness", "--references", "r.json", "--metrics", "length", *arguments, folder=folder)

    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--seed", "x"), "must be a whole number from 0"), (("--steps", "0"), "must be a whole number from 1")],
)
def test_numbers_are_read_with_care(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run_command("robustness", "--references", "r.json", "--metrics", "length", *arguments, folder=folder)

    assert result.returncode == 2
    assert message in result.stderr


@pytest.mark.slow
def test_a_cluster_gives_the_numbers_of_one_process(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    arguments = ("--metrics", "cider-d,bleu-4", "--steps", "5", "--out")
    ruin(folder, *arguments, "here.csv")
    (tmp_path / "cluster").mkdir()

    with run_cluster(tmp_path / "cluster") as cluster:
        settings = {"ACCORDANCE_EXECUTOR": "dask", "ACCORDANCE_DASK": cluster.address}
        result = run_program("robustness", "--references", "r.json", *arguments, "there.csv", folder=folder, **settings)

    assert (result.returncode, result.stderr) == (0, "")
    assert (folder / "there.csv").read_bytes() == (folder / "here.csv").read_bytes()
