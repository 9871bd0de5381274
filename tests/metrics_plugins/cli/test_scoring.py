"""Tests of `score` on files: golden captions, published system outputs, caption sets, and all errors."""

import csv
import gzip
import json
import os
import subprocess
import sys
import termios
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.readers import read_corpus
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.runtime.chunks import CHUNK_SIZE
from tests.metrics_plugins.cli.running import run_command, score, write_captions

BUNDLED = "bleu-1,bleu-2,bleu-3,bleu-4,rouge-l,cider,cider-d,length"

# Metric, its golden file (fixtures named in shared/golden/README.md) and the name inside that file.
GOLDEN = [
    ("bleu-1", "expected_bleu.json", "Bleu_1"),
    ("bleu-2", "expected_bleu.json", "Bleu_2"),
    ("bleu-3", "expected_bleu.json", "Bleu_3"),
    ("bleu-4", "expected_bleu.json", "Bleu_4"),
    ("rouge-l", "expected_rouge_l.json", None),
    ("cider", "expected_cider.json", None),
    ("cider-d", "expected_ciderd.json", None),
]


@pytest.fixture(scope="module")
def golden_rows(golden_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    files = ["--candidates", golden_folder / "candidates.json", "--references", golden_folder / "references.json"]
    return score(*files, "--metrics", BUNDLED, folder=tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize(("metric", "file", "name"), GOLDEN, ids=[row[0] for row in GOLDEN])
def test_golden_scores(metric: str, file: str, name: str | None, golden_rows: list, golden_folder: Path) -> None:
    expected = json.loads((golden_folder / file).read_text())
    segments = {key: value[name] if name else value for key, value in expected["segments"].items()}
    corpus = expected["corpus"][name] if name else expected["corpus"]

    rows = [row for row in golden_rows if row["metric"] == metric]

    assert [(row["level"], row["key"]) for row in rows] == [("segment", key) for key in segments] + [("corpus", None)]
    assert [row["value"] for row in rows] == pytest.approx([*segments.values(), corpus], abs=1e-9)


def test_rows_come_metric_by_metric_in_the_order_asked_for(golden_rows: list) -> None:
    assert list(dict.fromkeys(row["metric"] for row in golden_rows)) == BUNDLED.split(",")
    assert len(golden_rows) == 8 * 13


def test_published_system_output_gets_its_published_scores(data_folder: Path, tmp_path: Path) -> None:
    # The 40,504 annotated images of val2014, of which only the 1,000 with a candidate count. Numbers recomputed with
    # pycocoevalcap 1.2 in shared/data/coco/README.md; the first digits are those of coco-caption's own demo.
    (package,) = find_spec("pycocoevalcap").submodule_search_locations
    with zipfile.ZipFile(Path(package) / "spice" / "spice-1.0.jar") as jar:
        (name,) = (name for name in jar.namelist() if name.endswith("captions_val2014.json"))
        (tmp_path / "val2014.json.gz").write_bytes(gzip.compress(jar.read(name), compresslevel=1))
    expected = {
        "bleu-1": 0.5793995755,
        "bleu-2": 0.4043912974,
        "bleu-3": 0.2785363857,
        "bleu-4": 0.1908290438,
        "rouge-l": 0.3962526936,
        "cider-d": 0.5997905185,
    }
    candidates = data_folder / "coco/captions_val2014_fakecap_results.json"

    rows = score(
        *("--candidates", candidates, "--references", "val2014.json.gz", "--metrics", ",".join(expected)),
        folder=tmp_path,
    )

    corpus = {row["metric"]: row["value"] for row in rows if row["level"] == "corpus"}
    assert corpus == pytest.approx(expected, abs=1e-9)
    assert len(rows) == 6 * 1_001


def test_images_references_count_once_however_many_candidates_it_has(tmp_path: Path) -> None:
    references = write_captions(tmp_path / "r.json", (1, "a dog runs fast"), (2, "two cats sleep"), (3, "the red bus"))
    once = write_captions(tmp_path / "once.json", (1, "a dog runs"), (2, "two cats"), (3, "a red bus"))
    twice = write_captions(tmp_path / "twice.json", (1, "a dog runs"), (1, "a"), (2, "two cats"), (3, "a red bus"))
    arguments = ["--references", references, "--metrics", "cider"]

    first = score("--candidates", once, *arguments, folder=tmp_path)
    second = score("--candidates", twice, *arguments, folder=tmp_path)

    assert [row["value"] for row in first[:3]] == [row["value"] for row in (second[0], second[2], second[3])]
    assert [row["key"] for row in second] == ["1", "1", "2", "3", None]


def test_more_rows_than_a_chunk_holds_score_as_one_file(tmp_path: Path) -> None:
    rows = [(number, f"a dog number {number % 70} runs {number % 3}") for number in range(CHUNK_SIZE + 3)]
    references = [(number, f"dog {number % 90} runs fast {number % 3}") for number, _ in rows]
    write_captions(tmp_path / "c.json", *rows)
    write_captions(tmp_path / "r.json", *references)
    batch = Batch.make(
        [str(number) for number, _ in rows],
        candidates=[text for _, text in rows],
        references=[[text] for _, text in references],
    )

    found = score("--candidates", "c.json", "--references", "r.json", "--metrics", "bleu-2,cider", folder=tmp_path)

    for name in ("bleu-2", "cider"):
        whole = run_metric(load_registry().build(name), batch, rng=np.random.default_rng(0))
        values = [row["value"] for row in found if row["metric"] == name]
        assert values == [*whole.scores.values.tolist(), whole.corpus]


def test_parameters_reach_the_metric_and_its_signature(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a dog runs over the green grass"))
    write_captions(tmp_path / "r.json", (1, "a dog runs"), (1, "grass is green"))
    command = ["score", "--candidates", "c.json", "--references", "r.json", "--metrics", "cider-d", "--signatures"]

    plain = run_command(*command, folder=tmp_path)
    changed = run_command(*command, "--param", "cider-d.sigma=3", folder=tmp_path)

    assert (plain.returncode, changed.returncode) == (0, 0)
    assert "sigma:6" in plain.stderr
    assert changed.stderr == plain.stderr.replace("sigma:6", "sigma:3")


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet"])
def test_rows_go_to_a_file(name: str, tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", ("é", "a dog"), (2, ""))

    result = run_command(
        *("score", "--candidates", "c.json", "--metrics", "length", "--out", name),
        folder=tmp_path,
    )

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert _read_rows(tmp_path / name) == [
        ("length", "segment", "é", 2.0),
        ("length", "segment", "2", 0.0),
        ("length", "corpus", None, 1.0),
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", name]


def _read_rows(path: Path) -> list[tuple]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        rows = pq.read_table(path).to_pylist()
    elif path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row | {"key": row["key"] or None, "value": float(row["value"])} for row in csv.DictReader(file)]
    return [(row["metric"], row["level"], row["key"], row["value"]) for row in rows]


def test_table_formats_score_like_coco_files(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a dog runs"), (2, "two cats"))
    write_captions(tmp_path / "r.json", (1, "the dog runs"), (2, "two cats sleep"))
    (tmp_path / "c.csv").write_text("image_id,caption\n1,a dog runs\n2,two cats\n")
    (tmp_path / "r.jsonl").write_text(
        '{"image_id": 1, "caption": "the dog runs"}\n{"image_id": 2, "caption": "two cats sleep"}\n'
    )
    metrics = ["--metrics", "bleu-2,cider"]

    json_rows = score("--candidates", "c.json", "--references", "r.json", *metrics, folder=tmp_path)
    table_rows = score("--candidates", "c.csv", "--references", "r.jsonl", *metrics, folder=tmp_path)

    assert table_rows == json_rows


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics", "bleu-1"], "metric 'bleu-1' needs references: pass --references"),
        (["--metrics", "cider"], "metric 'cider' needs references: pass --references"),
        (
            ["--metrics", "novelty"],
            "metric 'novelty' learns from a corpus of captions, which is not the files to be scored: "
            "pass --corpus FILE",
        ),
        (["--metrics", "length,"], "--metrics must be ids separated by commas, got 'length,'"),
        (["--metrics", "length,length"], "--metrics must name each metric once, got length more than once"),
        (
            ["--metrics", "length", "--param", "length.n=2"],
            "metric 'length' takes no parameter 'n' (it takes: tokenizer)",
        ),
        (
            ["--metrics", "length", "--param", "length.tokenizer=klingon"],
            "no installed plugin provides a tokenizer 'klingon'",
        ),
        (
            ["--metrics", "bleu-1", "--references", "broken.json"],
            "broken.json: line 1, column 2: must be JSON, got: Expecting value",
        ),
        (
            ["--metrics", "bleu-1", "--references", "other.json"],
            "c.json: record 1: field 'image_id': image 1 has no references in other.json",
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(arguments: list, message: str, tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a dog"))
    write_captions(tmp_path / "other.json", (2, "a dog"))
    (tmp_path / "broken.json").write_text("[")

    result = run_command("score", "--candidates", "c.json", *arguments, "--out", "out.csv", folder=tmp_path)

    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"error: {message}\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.json", "c.json", "other.json"]


def test_a_corpus_is_what_novelty_learns_from_and_is_named_in_the_signature(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "A dog runs."), (1, "a cat"), (2, "two birds"))
    write_captions(tmp_path / "train.json", (7, "a dog runs"), (8, "the sky"))
    (tmp_path / "more.txt").write_text("two birds\n")
    command = ["score", "--candidates", "c.json", "--metrics", "novelty", "--signatures", "--corpus"]

    one = run_command(*command, "train.json", folder=tmp_path)
    two = run_command(*command, "train.json,more.txt", folder=tmp_path)

    assert [json.loads(line)["value"] for line in one.stdout.splitlines()] == [0.5, 1.0, 0.75]
    assert [json.loads(line)["value"] for line in two.stdout.splitlines()] == [0.5, 0.0, 0.25]
    assert one.stderr == f"novelty|tok:ptb|corpus:{read_corpus(str(tmp_path / 'train.json')).digest}|v:1\n"
    assert one.stderr != two.stderr


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a dog"))
    terminal, error = os.openpty()
    termios.tcsetwinsize(error, (24, 80))

    command = [sys.executable, "-m", "metrics_plugins", "score", "--candidates", "c.json", "--metrics", "length"]
    result = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=error, check=True)
    # What was written is lost when the last writer closes, and a read of nothing waits for ever: so a mark comes last.
    os.write(error, b"end")
    shown = os.read(terminal, 10_000).decode()
    os.close(error)
    os.close(terminal)

    assert len(result.stdout.splitlines()) == 2
    assert "length" in shown
    assert "0/1" in shown


def test_captions_of_worlds_get_the_published_labels(data_folder: Path, tmp_path: Path) -> None:
    folder = data_folder / "shapeworld" / "existential-full"
    files = ["--candidates", folder / "caption.txt", "--worlds", folder / "world_model.json"]

    rows = score(*files, "--metrics", "gtd-truthful", folder=tmp_path)

    labels = (folder / "agreement.txt").read_text().replace("\n", ";").split(";")[:-1]
    assert [row["value"] for row in rows[:-1]] == [float(label) for label in labels]
    assert [row["key"] for row in rows[:6]] == ["0"] * 5 + ["1"]
    assert rows[-1]["value"] == pytest.approx(0.34)


def test_missing_worlds_are_asked_for_and_missing_images_are_named(data_folder: Path, tmp_path: Path) -> None:
    folder = data_folder / "shapeworld" / "existential-full"
    captions = tmp_path / "caption.txt"
    captions.write_text("a shape is red .\n" * 21, encoding="utf-8")
    command = ["score", "--candidates", captions, "--metrics", "gtd-truthful"]

    without = run_command(*command, folder=tmp_path)
    too_many = run_command(*command, "--worlds", folder / "world_model.json", folder=tmp_path)

    assert "metric 'gtd-truthful' needs the worlds of images: pass --worlds" in without.stderr
    assert "line 21: field 'image_id': image 20 has no world (there are 20)" in too_many.stderr


def test_metric_that_is_undefined_everywhere_is_a_warning_and_an_exit_code(tmp_path: Path) -> None:
    write_captions(tmp_path / "candidates.json", (1, "."))
    write_captions(tmp_path / "references.json", (1, "."))
    files = ("--candidates", "candidates.json", "--references", "references.json")

    result = run_command("score", *files, "--metrics", "spice-color,bleu-1", folder=tmp_path)

    assert result.returncode == 1
    assert result.stderr == "warning: every score of metric 'spice-color' is undefined (NaN)\n"
    assert len(result.stdout.splitlines()) == 4
