"""Tests of `python -m captioning probe`."""

import json
from pathlib import Path

import pytest

from captioning.api import CaptionedImages, Images
from captioning.cli import main
from captioning.commands import probing
from captioning.data import coco
from captioning.data.splits import Splits
from captioning.runtime import load_captioners
from tests.captioning.runtime.examples import DrawnWord, make_plugin

CAPTIONS = [(7, "A dog runs."), (7, "A dog."), (8, "A bus on the street."), (9, "A cat sleeps.")]
TRAINING = [(1, "A red bus."), (1, "A red bus."), (2, "A red bus."), (3, "A dog."), (4, "A dog."), (5, "A bed.")]


@pytest.fixture(autouse=True)
def _more_captioners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "load_captioners", lambda: load_captioners([make_plugin(DrawnWord)], outside=False))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, records in (("captions.json", CAPTIONS), ("training.json", TRAINING)):
        rows = [{"image_id": key, "caption": text} for key, text in records]
        (tmp_path / name).write_text(json.dumps(rows))
    objects = {"7": ["dog"], "8": ["bus"], "9": ["cat", "bed"]}
    (tmp_path / "objects.json").write_text(json.dumps(objects))
    return tmp_path


def _run(files: Path, probe: str, *arguments: str, captioner: str = "drawn-word") -> int:
    given = ["--captions", str(files / "captions.json"), "--training", str(files / "training.json")]
    return main(["probe", probe, "--captioner", captioner, *given, *arguments])


def test_distractors_are_the_frequent_training_captions(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    objects = ["--objects", str(files / "objects.json")]

    assert _run(files, "distractors", *objects, "-n", "2", "--out", str(files / "report.json")) == 0

    report = json.loads((files / "report.json").read_text())
    assert [(each["caption"], each["n_training"], each["n_kept"]) for each in report["distractors"]] == [
        ("a red bus", 3, 2),
        ("a dog", 2, 2),
    ]
    # Every caption has the same probability, which counts for people.
    assert (report["n_images"], report["n_probed"], report["n_fooled"]) == (3, 3, {"mean": 0, "sum": 0})
    assert _run(files, "distractors", *objects) == 0
    assert "objects that people name" in capsys.readouterr().out


def test_with_coco_frequent_captions_are_counted_in_all_training_images(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [f"im{number:05}" for number in range(12_000)]
    pool = coco.divide_images(keys, seed=0)["train"]
    # The caption of the last images of the pool is the most frequent one, and "a bed" that of the first 10,000.
    captions = dict.fromkeys(keys, ("A cat.",)) | dict.fromkeys(pool[:500], ("A bed.",))
    captions |= {key: (f"Thing {number}.",) for number, key in enumerate(pool[500:10_000])}
    captions |= dict.fromkeys(pool[10_000:], ("A red bus.",))
    data = CaptionedImages(Images(keys=("im",), objects=(("dog",),)), (("a dog",),))
    monkeypatch.setattr(coco, "read_coco_captions", lambda: captions)
    monkeypatch.setattr(probing, "load_splits", lambda *_, **__: Splits(data, data, data))
    report = files / "report.json"

    arguments = ["--captioner", "drawn-word", "--coco", "--instances", "1", "-n", "2", "--out", str(report)]
    assert main(["probe", "distractors", *arguments]) == 0

    distractors = json.loads(report.read_text())["distractors"]
    assert [(each["caption"], each["n_training"]) for each in distractors] == [("a red bus", 800), ("a bed", 500)]


def test_templates_are_compared_with_the_captioner(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--objects", str(files / "objects.json"), "--classes", "1,80"]

    assert _run(files, "object-templates", *arguments, captioner="object-template") == 0

    text = capsys.readouterr().out
    assert "Objects: those given with the images. The most common classes are bus, dog, bed." in text
    rows = {line.split(" | ")[0]: line.split(" | ") for line in text.splitlines()}
    # Two of three images have no bus: the only class.
    assert rows["| template (1 classes)"][-1] == "2 |"
    # The captioner names all objects too, also the cat, which is no class of the training captions.
    assert rows["| template (80 classes)"][1] == "4.0"
    assert rows["| object-template"][1] == "4.7"
    assert _run(files, "object-templates", *arguments, "--out", str(files / "figure.svg")) == 0
    assert (files / "figure.svg").read_bytes().startswith(b"<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["distractors", "--captioner", "drawn-word", "--captions", "C"], "--training FILE"),
        (["distractors", "--captioner", "drawn-word", "--training", "T"], "pass --captions FILE or --coco"),
        (
            ["distractors", "--captioner", "drawn-word", "--training", "T", "--worlds", "quant-count"],
            "their captions name no objects of COCO",
        ),
        (
            ["distractors", "--captioner", "object-template", "--captions", "C", "--training", "T", "--objects", "O"],
            "captioner 'object-template' gives no probabilities",
        ),
    ],
)
def test_errors_are_messages_with_exit_code_2(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    paths = {"C": "captions.json", "T": "training.json", "O": "objects.json"}

    assert main(["probe", *(str(files / paths[each]) if each in paths else each for each in arguments)]) == 2

    assert message in capsys.readouterr().err
