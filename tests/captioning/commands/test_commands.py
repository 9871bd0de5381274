"""Tests of `python -m captioning list | train | caption | score`, with captioners that need no network."""

import csv
import json

import numpy as np
import pytest

from captioning.cli import main
from captioning.commands import listing, scoring, training, writing
from captioning.runtime import load_captioners
from metrics_plugins.readers import read_captions
from tests.captioning.runtime.examples import DrawnWord, make_plugin

RECORDS = [(7, "A cat."), (7, "A cat on a mat."), (8, "A dog."), (9, "A cat."), (10, "Two birds fly.")]


@pytest.fixture(autouse=True)
def _more_captioners(monkeypatch) -> None:
    for module in (listing, scoring, training, writing):
        monkeypatch.setattr(module, "load_captioners", lambda: load_captioners([make_plugin(DrawnWord)], outside=False))


@pytest.fixture
def files(tmp_path):
    rows = [{"image_id": key, "caption": text} for key, text in RECORDS]
    (tmp_path / "captions.json").write_text(json.dumps(rows))
    (tmp_path / "one.json").write_text(json.dumps(rows[2:3]))
    keys = ["7", "8", "9", "10", "x"]
    np.savez(tmp_path / "f.npz", keys=np.array(keys), features=np.eye(5))
    (tmp_path / "o.json").write_text(json.dumps({key: [f"thing {key}", "mat"] for key in keys}))
    return tmp_path


def _run(*arguments) -> int:
    return main([str(each) for each in arguments])


def _fail(capsys, *arguments) -> str:
    assert _run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    return captured.err.splitlines()[-1]


def test_list_names_captioners_and_what_they_need(capsys) -> None:
    assert _run("list") == 0
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert rows["ID"] == ["INPUTS", "TRAINED", "SAMPLES", "SCORES", "PLUGIN", "DISTRIBUTION"]
    assert rows["nearest-neighbour"][:4] == ["features", "yes", "no", "no"]
    assert rows["object-template"][:4] == ["objects", "optional", "no", "no"]
    assert rows["drawn-word"] == ["objects", "no", "yes", "yes", "made"]
    assert _run("list", "--json") == 0
    described = {each["id"]: each for each in json.loads(capsys.readouterr().out)}
    assert described["common-caption"]["needs_training"] is True
    assert described["transformers"]["inputs"] == ["files"]


def test_trained_captioner_writes_coco_results_for_its_folder(files, capsys) -> None:
    folder, out = files / "trained", files / "out.json"
    arguments = ["--captions", files / "captions.json", "--validation", files / "one.json"]
    # The only image of --validation is in --captions, too.
    assert "--validation must have other images than --captions, got 1 of them again, such as '8'" in _fail(
        capsys, "train", "--captioner", "common-caption", "--out", folder, *arguments
    )
    features = ["--features", files / "f.npz"]
    assert _run("train", "--captioner", "nearest-neighbour", "--out", folder, *arguments[:2], *features) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("nearest-neighbour|v:1|n:1|seed:0|neighbours:1|others:125|digest:")
    assert captured.err.startswith("3 training images with ")

    assert _run("caption", "--folder", folder, *features, "--out", out) == 0
    results = json.loads(out.read_text())
    assert [each["image_id"] for each in results] == [7, 8, 9, 10, "x"]
    assert {each["caption"] for each in results} <= {"a cat", "a cat on a mat", "a dog", "two birds fly"}
    assert [each.image_id for each in read_captions(out).records] == ["7", "8", "9", "10", "x"]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("5 images captioned by nearest-neighbour|v:1|n:1|seed:0|")
    assert "--folder" in _fail(capsys, "caption", "--captioner", "common-caption", "--folder", folder, *features)
    assert "trained captioner 'nearest-neighbour'" not in captured.err


def test_caption_sets_have_several_records_an_image_and_follow_the_seed(files, capsys) -> None:
    arguments = ["caption", "--captioner", "drawn-word", "--objects", files / "o.json", "-n", 4]
    outputs = []
    for seed in (1, 1, 2):
        assert _run(*arguments, "--decoding", "sample,temperature=0.7", "--seed", seed, "--log-probabilities") == 0
        captured = capsys.readouterr()
        outputs.append(json.loads(captured.out))
    assert captured.err.endswith("drawn-word|v:1|decoding:sample,temperature=0.7|n:4|seed:2\n")
    assert outputs[0] == outputs[1] != outputs[2]
    assert [each["image_id"] for each in outputs[0]] == [key for key in (7, 8, 9, 10, "x") for _ in range(4)]
    assert {each["log_probability"] for each in outputs[0]} == {-np.log(3)}


def test_table_of_items_has_a_row_for_each_caption(files) -> None:
    out = files / "items.csv"
    arguments = ["--captioner", "object-template", "--objects", files / "o.json", "--out", out]
    assert _run("caption", *arguments, "--system", "mine") == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"image": "7", "system": "mine", "candidate": "There is a thing 7 and mat"}
    assert [row["image"] for row in rows] == ["7", "8", "9", "10", "x"]
    assert _run("caption", *arguments) == 0
    assert "object-template" in out.read_text()


def test_unknown_probabilities_are_null(files, capsys) -> None:
    assert _run("caption", "--captioner", "object-template", "--objects", files / "o.json", "--log-probabilities") == 0
    assert json.loads(capsys.readouterr().out)[0] == {
        "image_id": 7,
        "caption": "There is a thing 7 and mat",
        "log_probability": None,
    }


def test_scores_are_a_line_for_each_caption(files, capsys) -> None:
    arguments = ["--captioner", "drawn-word", "--captions", files / "captions.json", "--objects", files / "o.json"]
    assert _run("score", *arguments) == 0
    captured = capsys.readouterr()
    rows = [json.loads(line) for line in captured.out.splitlines()]
    assert [(row["image_id"], row["caption"]) for row in rows] == [
        ("7", "a cat"),
        ("7", "a cat on a mat"),
        ("8", "a dog"),
        ("9", "a cat"),
        ("10", "two birds fly"),
    ]
    assert rows[0] | {"image_id": "", "caption": ""} == {
        "image_id": "",
        "caption": "",
        "log_probability": -np.log(3),
        "n_steps": 2,
        "mean": -np.log(3) / 2,
    }
    assert captured.err == "5 captions; mean log-probability of a step, over captions: -0.5493\n"
    assert _run("score", *arguments, "--out", files / "scores.jsonl") == 0
    assert (files / "scores.jsonl").read_text() == captured.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["caption", "--captioner", "objct-template", "--objects", "O"], "did you mean object-template?"),
        (["caption", "--objects", "O"], "pass --captioner ID, or --folder with a trained captioner"),
        (["caption", "--captioner", "object-template"], "images must be given"),
        (
            ["caption", "--captioner", "object-template", "--features", "F"],
            "captioner 'object-template' needs objects, but these 5 images have only features",
        ),
        (["caption", "--captioner", "common-caption", "--objects", "O"], "must be trained first"),
        (
            ["caption", "--captioner", "drawn-word", "--objects", "O", "--decoding", "hot"],
            "`method` of decoding must be",
        ),
        (["caption", "--captioner", "drawn-word", "--objects", "O", "--param", "a=1"], "takes no parameter 'a'"),
        (["caption", "--captioner", "drawn-word", "--objects", "O", "--param", "a"], "--param must be NAME=VALUE"),
        (["caption", "--captioner", "drawn-word", "--objects", "O", "--out", "x.txt"], "--out must end in .json"),
        (["caption", "--captioner", "drawn-word", "--worlds", "x", "--coco"], "pass one of them"),
        (["score", "--captioner", "drawn-word", "--objects", "O"], "pass --captions FILE"),
        (
            ["score", "--captioner", "object-template", "--objects", "O", "--captions", "C"],
            "captioner 'object-template' gives no probabilities to captions",
        ),
        (["train", "--captioner", "drawn-word", "--out", "T", "--captions", "C", "--objects", "O"], "is not trained"),
        (["train", "--captioner", "common-caption", "--out", "T"], "pass --captions FILE, --worlds SET or --coco"),
        (["train", "--captioner", "common-caption", "--out", "T", "--captions", "O1"], "at least two images"),
        (
            ["train", "--captioner", "common-caption", "--out", "T", "--captions", "C", "--setting", "kept=-1"],
            "`kept` of captioner 'common-caption' must be a whole number of at least 0, got -1",
        ),
        (
            ["train", "--captioner", "nearest-neighbour", "--out", "T", "--captions", "C"],
            "captioner 'nearest-neighbour' needs features, but these 3 images have only keys",
        ),
    ],
)
def test_errors_are_messages_with_exit_code_2(files, capsys, arguments, message) -> None:
    paths = {"O": "o.json", "F": "f.npz", "C": "captions.json", "O1": "one.json", "T": "trained"}
    given = [files / paths[each] if each in paths else each for each in arguments]
    assert _run(*given) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err.splitlines()[-1]


def test_worlds_train_and_test_without_files(tmp_path, capsys) -> None:
    common = ["--worlds", "existential-oneshape", "--instances", 20, "--cache", tmp_path / "cache"]
    folder = tmp_path / "trained"
    assert _run("train", "--captioner", "common-caption", "--out", folder, *common, "--setting", "kept=5") == 0
    assert "20 training images with 20 captions, 2 validation images" in capsys.readouterr().err
    assert _run("caption", "--folder", folder, *common, "-n", 2) == 0
    assert len(json.loads(capsys.readouterr().out)) == 40
