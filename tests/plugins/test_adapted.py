"""Tests of an installed plugin with adapted metrics, which pass all checks and score like the originals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

from tests.plugins.installing import make_environment

CAPTIONS = {1: "A dog runs.", 2: "two cats sleep", 3: "ö"}
REFERENCES = {1: ["a brown dog", "the dog runs"], 2: ["a cat sleeps"], 3: ["nothing"]}
LIGHT = ("outside-bleu", "outside-chrf", "outside-script", "outside-ter", "outside-words")
TORCH = ("outside-torch-chrf", "outside-torch-rouge", "outside-torch-wer")


def _run(*arguments: str, plugins: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "metrics_plugins", *arguments]
    return subprocess.run(
        command, cwd=folder, env=make_environment(plugins), capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def rows(
    installed_adapted_plugins: Path, tmp_path_factory: pytest.TempPathFactory, java: str
) -> dict[str, list[float | None]]:
    """Each metric's scores of the candidates, and last of all of them together."""
    folder = tmp_path_factory.mktemp("captions")
    candidates = [{"image_id": image, "caption": caption} for image, caption in CAPTIONS.items()]
    references = [{"image_id": image, "caption": text} for image, texts in REFERENCES.items() for text in texts]
    (folder / "candidates.json").write_text(json.dumps(candidates))
    (folder / "references.json").write_text(json.dumps(references))
    files = ["--candidates", "candidates.json", "--references", "references.json"]
    metrics = ",".join([*LIGHT, *TORCH, "outside-java"])
    result = _run("score", *files, "--metrics", metrics, plugins=installed_adapted_plugins, folder=folder)
    assert result.returncode == 0, result.stderr
    scores: dict[str, list[float | None]] = {}
    for row in map(json.loads, result.stdout.splitlines()):
        scores.setdefault(row["metric"], []).append(row["value"])
    return scores


@pytest.mark.parametrize(
    "metric", [*LIGHT, *(pytest.param(metric, marks=pytest.mark.slow) for metric in (*TORCH, "outside-java"))]
)
def test_adapted_metric_passes_the_checks(metric: str, installed_adapted_plugins: Path, tmp_path: Path) -> None:
    result = _run("check", metric, plugins=installed_adapted_plugins, folder=tmp_path)

    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("FAILED")] == []
    # A metric without a card gets a warning, which is no check.
    n_checks = sum(not line.startswith("warning ") for line in lines[:-1])
    assert (result.returncode, lines[-1]) == (0, f"{n_checks} of {n_checks} checks passed")


@pytest.mark.parametrize(
    ("metric", "peer"),
    [
        ("outside-bleu", BLEU(effective_order=True, lowercase=True)),
        ("outside-chrf", CHRF()),
        ("outside-ter", TER()),
    ],
)
def test_sacrebleu_scores(metric: str, peer: BLEU | CHRF | TER, rows: dict) -> None:
    expected = [peer.sentence_score(CAPTIONS[image], REFERENCES[image]).score for image in CAPTIONS]
    columns = [[texts[0] for texts in REFERENCES.values()], [*REFERENCES[1][1:], None, None]]

    assert rows[metric] == pytest.approx([*expected, peer.corpus_score(list(CAPTIONS.values()), columns).score])


def test_scores_of_a_function_and_of_programs(rows: dict) -> None:
    # "a" and "dog" of three words stand in a reference of image 1 ("runs." does not); of image 2 none of three does.
    assert rows["outside-words"] == pytest.approx([2 / 3, 0.0, 0.0, 2 / 9])
    # adogruns against the letters of "a brown dog" lacks u and s; twocatssleep against "a cat sleeps" lacks w and o.
    assert rows["outside-script"] == pytest.approx([6 / 8, 10 / 12, 0.0, (6 / 8 + 10 / 12) / 3])
    assert rows["outside-java"] == pytest.approx([11, 14, 1, 26 / 3])


def test_torchmetrics_scores(rows: dict) -> None:
    # Words of "a dog runs.": two of three are wrong against the best reference; single precision.
    assert rows["outside-torch-wer"][:3] == pytest.approx([2 / 3, 1.0, 1.0], abs=1e-6)
    # Best reference "a brown dog" or "the dog runs": two common words of three and three.
    assert rows["outside-torch-rouge"][:3] == pytest.approx([2 / 3, 0.0, 0.0], abs=1e-6)
    assert all(0 <= value <= 1 for value in rows["outside-torch-chrf"])
