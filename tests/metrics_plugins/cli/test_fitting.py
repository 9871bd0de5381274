"""Tests of `fit` on files, and of `score` with the stored result."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.metrics_plugins.cli.running import run_command, run_program, score, write_captions
from tests.metrics_plugins.encoders.tiny import open_shared_folder
from tests.metrics_plugins.metrics.critics.judged.tiny import make_judged
from tests.metrics_plugins.metrics.critics.lstm.tiny import SMALL, make_batch
from tests.metrics_plugins.metrics.critics.reference.tiny import SMALL as TINY
from tests.metrics_plugins.metrics.critics.reference.tiny import make_batch as make_tiny_batch

PARAMS = [part for name, value in SMALL.items() for part in ("--param", f"critic-lstm.{name}={value}")]


def write_data(folder: Path) -> Path:
    batch = make_batch()
    rows = zip(batch.keys, batch.references, strict=True)
    write_captions(folder / "people.json", *((key, text) for key, own in rows for text in own))
    write_captions(folder / "machine.json", *zip(batch.keys, batch.candidates, strict=True))
    (folder / "tested.txt").write_text("image 3\nimage 4\n")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_data(tmp_path)


def fit(folder: Path, *arguments: str, metric: str = "critic-lstm", out: str = "critic") -> CompletedProcess[str]:
    own = PARAMS if metric == "critic-lstm" else []
    command = ["fit", metric, "--data", "people.json", "--out", out, "--device", "cpu", *own, *arguments]
    return run_command(*command, folder=folder)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CompletedProcess[str]]:
    """A folder with a critic that learned without two images, and what the command did; tests only read there."""
    folder = write_data(tmp_path_factory.mktemp("learned"))
    return folder, fit(folder, "--machine", "machine.json", "--without", "tested.txt")


def test_what_was_learned_is_kept_and_scores(learned: tuple[Path, CompletedProcess[str]], tmp_path: Path) -> None:
    folder, result = learned

    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines() == [
        "22 images, 66 human captions, 22 machine captions",
        "trained; to score with it: --param critic-lstm.weights=critic",
    ]
    card = json.loads((folder / "critic" / "critic.json").read_text())
    assert len(card["images"]) == 22
    assert result.stdout.startswith("critic-lstm|beside:reference|head:bilinear|weights:")
    candidates = write_captions(tmp_path / "c.json", ("image 3", "a dog"), ("image 4", "a cat"))
    chosen = ["--candidates", candidates, "--references", "people.json", "--metrics", "critic-lstm"]
    rows = score(*chosen, "--param", "critic-lstm.weights=critic", folder=folder)
    assert [row["key"] for row in rows] == ["image 3", "image 4", None]
    assert all(0 < row["value"] < 1 for row in rows)


def test_captions_learned_from_are_not_scored(learned: tuple[Path, CompletedProcess[str]], tmp_path: Path) -> None:
    folder, _ = learned
    images = make_batch().keys[5:]
    candidates = write_captions(tmp_path / "c.json", *((image, "a dog") for image in images))
    chosen = ["--candidates", candidates, "--references", "people.json", "--metrics", "critic-lstm"]

    result = run_command("score", *chosen, "--param", "critic-lstm.weights=critic", folder=folder)

    assert (result.returncode, result.stdout) == (2, "")
    assert "error: metric 'critic-lstm' learned from captions of 19 of the images of these 19 rows" in result.stderr


def test_robustness_takes_what_was_learned(folder: Path) -> None:
    fit(folder, "--sample", "12")
    learned = json.loads((folder / "critic" / "critic.json").read_text())["images"]
    others = [(key, text) for key, own in zip(make_batch().keys, make_batch().references, strict=True) for text in own]
    write_captions(folder / "others.json", *((key, text) for key, text in others if key not in learned))
    chosen = ["--metrics", "critic-lstm,bleu-1", "--param", "critic-lstm.weights=critic", "--steps", "2"]

    result = run_command("robustness", "--references", "others.json", *chosen, folder=folder)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Images: 12;")
    assert "| critic-lstm |" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "metric", "message"),
    [
        ((), "bleu-1", "metric 'bleu-1' needs no separate training: `score` fits it if needed"),
        (("--out", "people.json"), "critic-lstm", "--out must be a folder, got the file people.json"),
        (("--sample", "25"), "critic-lstm", "--sample must be at most 24, the images there are, got 25"),
        (("--data", "missing.json"), "critic-lstm", "missing.json: cannot be read: No such file or directory"),
        (
            ("--param", "critic-lstm.epochs=0"),
            "critic-lstm",
            "`epochs` of metric 'critic-lstm' must be at least 1, got 0",
        ),
    ],
)
def test_wrong_arguments_are_told(arguments: tuple[str, ...], metric: str, message: str, folder: Path) -> None:
    if arguments[:1] == ("--param",):
        result = run_command("fit", metric, "--data", "people.json", "--out", "critic", *arguments, folder=folder)
    else:
        result = fit(folder, *arguments, metric=metric)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == f"error: {message}"


def test_leaving_out_everything_is_told(folder: Path) -> None:
    (folder / "all.txt").write_text("\n".join(make_batch().keys))

    result = fit(folder, "--without", "all.txt")

    assert result.returncode == 2
    assert result.stderr == "error: --without leaves none of the 24 images of --data\n"


def test_critic_of_references_learns_anew_what_it_comes_with(tmp_path: Path) -> None:
    batch = make_tiny_batch()
    rows = zip(batch.keys, batch.references, strict=True)
    write_captions(tmp_path / "people.json", *((key, text) for key, own in rows for text in own))
    chosen = {**TINY, "encoder": open_shared_folder()}
    params = [part for name, value in chosen.items() for part in ("--param", f"critic-reference.{name}={value}")]
    command = ["fit", "critic-reference", "--data", "people.json", "--out", "head", "--device", "cpu", *params]
    # What a killed run leaves: numbers that no card tells of.
    (tmp_path / "head").mkdir()
    (tmp_path / "head" / "head.safetensors").write_bytes(b"half")

    first = run_command(*command, folder=tmp_path)
    # Another process has other hashes of strings.
    again = run_program(*command, folder=tmp_path)

    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("critic-reference|encoder:")
    assert first.stderr.splitlines() == [
        "16 images, 48 human captions, 0 machine captions",
        "trained; to score with it: --param critic-reference.weights=head",
    ]
    assert (again.returncode, again.stdout) == (0, first.stdout)
    write_captions(tmp_path / "c.json", ("x", "a dog"))
    write_captions(tmp_path / "r.json", ("x", "the dog the"))
    where = ["--param", "critic-reference.weights=head", "--param", f"critic-reference.encoder={chosen['encoder']}"]
    files = ["--candidates", "c.json", "--references", "r.json"]
    (row, _) = score(*files, "--metrics", "critic-reference", *where, folder=tmp_path)
    assert -1 <= row["value"] <= 1


def test_a_device_that_is_not_there_is_told(folder: Path) -> None:
    result = fit(folder, "--device", "abacus")

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith("error: torch cannot compute on the device 'abacus' here: ")


def write_judged(folder: Path) -> None:
    rows = make_judged()
    lines = zip(rows.batch.image_keys, rows.batch.candidates, rows.targets.tolist(), strict=True)
    table = "".join(f"{image},{caption},{value}\n" for image, caption, value in lines)
    (folder / "judged.csv").write_text(f"image_id,caption,judgment\n{table}")
    references = dict(zip(rows.batch.image_keys, rows.batch.references, strict=True))
    references["goat"] = ("a goat in bright sun", "the goat outside")
    write_captions(folder / "all.json", *((image, text) for image, own in references.items() for text in own))
    write_captions(folder / "new.json", ("goat", "a goat in the sun"))
    write_captions(folder / "old.json", ("dog", "a dog in the sun"), ("cat", "two men play chess"))


def test_judgments_are_learned_from_and_score_other_images(tmp_path: Path) -> None:
    write_judged(tmp_path)
    words = ("--param", "critic-judgments.features=words")
    command = ["fit", "critic-judgments", "--data", "all.json", "--judged", "judged.csv", "--out", "kept", *words]
    chosen = ["--references", "all.json", "--metrics", "critic-judgments"]
    weights = ("--param", "critic-judgments.weights=kept")

    result = run_command(*command, "--device", "cpu", folder=tmp_path)

    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines()[0] == "12 images, 24 judged captions"
    (row, _) = score("--candidates", "new.json", *chosen, *weights, folder=tmp_path)
    assert row["value"] == pytest.approx(4.0, abs=0.5)
    refused = run_command("score", "--candidates", "old.json", *chosen, *weights, folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "was fitted on 2 of these 2 rows" in refused.stderr
    # By folds of images those are scored too.
    rows = score("--candidates", "old.json", *chosen, *words, "--judged", "judged.csv", folder=tmp_path)
    assert [row["value"] for row in rows[:2]] == pytest.approx([4.0, 1.0], abs=0.5)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            ("fit", "critic-judgments", "--data", "all.json", "--out", "kept"),
            "metric 'critic-judgments' learns from judgments: pass --judged FILE, and no --machine",
        ),
        (
            ("fit", "critic-lstm", "--data", "all.json", "--judged", "judged.csv", "--out", "kept"),
            "metric 'critic-lstm' learns from captions: --judged is for metrics that learn from judgments",
        ),
        (
            ("score", "--candidates", "new.json", "--references", "all.json", "--metrics", "critic-judgments"),
            "metric 'critic-judgments' learns from judgments: pass --judged FILE, or what `fit` kept by --param",
        ),
        (
            ("score", "--candidates", "new.json", "--metrics", "critic-judgments", "--judged", "judged.csv"),
            "metric 'critic-judgments' learns from judgments and references: pass --references",
        ),
    ],
)
def test_judgments_that_are_wanted_or_not(command: tuple[str, ...], message: str, tmp_path: Path) -> None:
    write_judged(tmp_path)

    result = run_command(*command, folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == f"error: {message}"
