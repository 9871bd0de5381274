"""Tests of `accordance correlate --scores`: joined with judgments in each way, published numbers, and all errors."""

import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from accordance.cli import main
from tests.metrics_plugins.large_tables.tables import write_table

CUSTOM = ("--protocol", "custom", *(f"--option={name}" for name in ("rows=all", "references=all", "ratings=each")))
ITEMS = (*CUSTOM, "--option=measures=item:kendall-b")
WORDS = [3, 1, 4, 1, 5, 9, 2, 6]
JUDGMENTS = [2, 1, 3, 2, 3, 5, 1, 4]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose scores are the lengths of captions of `WORDS` words, in two partitions."""
    monkeypatch.chdir(tmp_path)
    candidates = {
        "image_id": [f"image-{number // 2}" for number in range(len(WORDS))],
        "caption": [" ".join(["dog"] * count) for count in WORDS],
        "system": [("m", "n")[number % 2] for number in range(len(WORDS))],
        "key": [f"c{number}" for number in range(len(WORDS))],
    }
    write_table(tmp_path / "candidates.parquet", candidates)
    assert score("candidates.parquet", "--rows-per-partition", "5") == 0
    return tmp_path


def score(candidates: str, *more: str) -> int:
    return main(["score", "--candidates", candidates, "--metrics", "length", "--output", "scores", *more])


def correlate(judgments: Path, *more: str) -> int:
    return main(["correlate", "--scores", "scores", "--judgments", str(judgments), *more])


def write_csv(path: Path, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def read_rows(capsys: pytest.CaptureFixture[str]) -> tuple[list[dict], list[str]]:
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err.splitlines()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("columns", [("key",), ("image_id", "system"), ("image_id", "caption")])
def test_judgments_are_joined_by_what_both_tables_have(
    columns: tuple[str, ...], ending: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {
        "key": [f"c{number}" for number in range(8)],
        "image_id": [f"image-{number // 2}" for number in range(8)],
        "system": ["m", "n"] * 4,
        "caption": [" ".join(["dog"] * count) for count in WORDS],
    }
    rows = [(*(known[name][number] for name in columns), JUDGMENTS[number]) for number in (5, 0, 7, 1, 2, 3, 4, 6)]
    names = (*columns, "judgment")
    table = folder / f"judged.{ending}"
    if ending == "csv":
        write_csv(table, names, rows)
    else:
        write_table(table, dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    capsys.readouterr()

    assert correlate(table, *ITEMS, "--json") == 0

    (row,), notes = read_rows(capsys)
    assert row["value"] == pytest.approx(kendalltau(WORDS, JUDGMENTS).statistic)
    assert (row["metric"], row["n"], row["n_missing"]) == ("length", 8, 0)
    assert row["signature"].startswith("length|tok:ptb|v:1 / custom@1|rows:all|refs:all|ratings:each|level:item|coef:")
    assert notes == [f"note: joined by {' and '.join(columns)}"]


def test_captions_that_the_folder_lacks_are_counted_as_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(f"c{number}", f"x{number}", value) for number, value in enumerate([*JUDGMENTS, 9])]
    table = write_csv(folder / "judged.csv", ("key", "unused", "judgment"), rows)
    capsys.readouterr()

    assert correlate(table, *ITEMS, "--json") == 0

    (row,), notes = read_rows(capsys)
    assert (row["n"], row["n_missing"]) == (8, 1)
    assert notes[1] == "note: 1 of 9 judged captions are not in the folder and count as missing"


def test_intervals_are_over_images_or_raters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(f"c{number}", rater, value) for number, value in enumerate(JUDGMENTS) for rater in ("ann", "bob")]
    table = write_csv(folder / "judged.csv", ("key", "rater", "judgment"), rows)
    capsys.readouterr()

    assert correlate(table, *ITEMS, "--ci", "images,raters", "--resamples", "40") == 0

    captured = capsys.readouterr()
    header, cells = (line.split() for line in captured.out.splitlines()[2:4])
    found = dict(zip(header, cells, strict=True))
    assert float(found["LOW"]) <= float(found["X100"]) <= float(found["HIGH"])
    assert found["N"] == "16"
    assert captured.out.splitlines()[-1].endswith("ci:percentile|resampled:images+raters|n:40|confidence:0.95|seed:0")


def test_flickr8k_gets_its_published_numbers(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_flickr8k(data_folder / "flickr8k", tmp_path)
    inputs = ["--candidates", "candidates.parquet", "--references", "references.parquet"]
    main(["score", *inputs, "--metrics", "bleu-1,bleu-4,rouge-l", "--output", "scores", "--rows-per-partition", "2500"])
    capsys.readouterr()

    assert correlate(tmp_path / "judgments.parquet", "--protocol", "flickr8k-expert", "--json") == 0

    rows, _ = read_rows(capsys)
    published = {"bleu-1": 32.32, "bleu-4": 30.78, "rouge-l": 32.31}
    assert {row["metric"]: round(100 * row["value"], 2) for row in rows} == published


def write_flickr8k(source: Path, folder: Path) -> None:
    with gzip.open(source / "Flickr8k.token.txt.gz", "rt", encoding="utf-8") as file:
        texts = dict(line.rstrip("\n").split("\t", 1) for line in file)
    lines = [line.split("\t") for line in (source / "ExpertAnnotations.txt").read_text().splitlines()]
    references = {"image_id": [name.partition("#")[0] for name in texts], "caption": list(texts.values())}
    candidates = {
        "key": [f"{image} {caption}" for image, caption, *_ in lines],
        "image_id": [image for image, *_ in lines],
        "caption": [texts[caption] for _, caption, *_ in lines],
    }
    judged = [(f"{line[0]} {line[1]}", str(rater), int(line[2 + rater])) for line in lines for rater in range(3)]
    write_table(folder / "references.parquet", references)
    write_table(folder / "candidates.parquet", candidates)
    write_table(
        folder / "judgments.parquet",
        {name: [row[place] for row in judged] for place, name in enumerate(("key", "rater", "judgment"))},
    )


PAIRS = ("image_id", "caption")
ERRORS = [
    ((*PAIRS, "judgment"), [("1", "a", "x")], ITEMS, "row 1: column 'judgment': must be a finite number, got 'x'"),
    ((*PAIRS, "judgment"), [("1", "a", 1), ("", "a", 1)], ITEMS, "row 2: column 'image_id': must not be empty"),
    (("image_id", "judgment"), [("1", 1)], ITEMS, "must have `key`, `image_id` and `system`, or `image_id` and"),
    (PAIRS, [("1", "a")], ITEMS, "column 'judgment' is missing (columns: image_id, caption)"),
    ((*PAIRS, "judgment"), [("1", "a", 1)], ITEMS, "no judged caption is in scores (joined by image_id and caption)"),
    (
        ("key", "rater", "judgment"),
        [("c1", "ann", 1), ("c1", "ann", 2)],
        ITEMS,
        "rater 'ann' judged item '0' twice (again at index 1)",
    ),
    (("key", "judgment"), [("c1", 1)], ("--protocol", "pascal-50s"), "protocol pascal-50s@1 is of pairs of captions"),
    (
        ("key", "judgment"),
        [("c1", 1)],
        ("--protocol", "composite"),
        "needs scores with references by the rule exclude-",
    ),
    (("key", "judgment"), [("c1", 1)], ("--protocol", "none"), "unknown protocol 'none'; known are: "),
    (("key", "judgment"), [("c1", 1)], (*ITEMS, "--metrics", "bleu-4"), "the folder has no scores by 'bleu-4'"),
    (("key", "judgment"), [("c1", 1)], (*ITEMS, "--ci", "raters"), "--ci raters needs the column `rater` in "),
    (("key", "judgment"), [("c1", 1)], ("--protocol", "flickr8k-expert"), "drops rows by `in_references`, got None"),
]


@pytest.mark.parametrize(("columns", "rows", "arguments", "message"), ERRORS)
def test_what_does_not_fit_is_an_error_of_usage(
    columns: tuple,
    rows: list,
    arguments: tuple,
    message: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = write_csv(folder / "judged.csv", columns, rows)
    capsys.readouterr()

    assert correlate(table, *arguments) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert message in captured.err


def test_a_folder_must_be_complete_and_without_repeated_keys(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_csv(folder / "judged.csv", ("key", "judgment"), [("c1", 1), ("c2", 2)])
    manifest = folder / "scores" / "_manifest.json"
    content = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**content, "scores": {}, "partitions": content["partitions"][:1]}))
    assert correlate(table, *ITEMS) == 2
    assert "is not complete, 5 of 8 rows are scored: run the same `score` again" in capsys.readouterr().err

    manifest.unlink()
    assert correlate(table, *ITEMS) == 2
    assert "must be a folder that `score --output` wrote, but has no _manifest.json" in capsys.readouterr().err

    for path in (folder / "scores").glob("*.parquet"):
        path.unlink()
    twice = {"image_id": ["1", "2"], "caption": ["a", "b"], "key": ["c1", "c1"]}
    write_table(folder / "twice.parquet", twice)
    assert score("twice.parquet") == 0
    assert correlate(table, *ITEMS) == 2
    assert "row 1: two captions have the same key (c1); give the candidates different keys" in capsys.readouterr().err
