"""Tests of scoring with little memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.metrics_plugins.metrics.critics.lstm.tiny import train

ROOT = Path(__file__).resolve().parents[5]

# The captions of a block stand in memory several times; one fits easily, and 100,000 do not.
SCORE = """
import resource, sys
from pathlib import Path
import numpy as np, torch
torch.set_num_threads(1)
from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.lstm.training.learning import make_network
from metrics_plugins.metrics.critics.lstm.scoring import CriticScorer
from metrics_plugins.metrics.critics.lstm.model.weights import Weights
weights = Weights.read(Path(sys.argv[1]))
network = make_network(weights.settings, weights.vocabulary, vectors=None, features=None)
network.load_state_dict({name: torch.from_numpy(values) for name, values in weights.tensors.items()})
scorer = CriticScorer(network, device=torch.device("cpu"))
captions = weights.vocabulary.encode(["a dog runs", "near a tree a dog", ""] * 5, steps=15, long="cut")
before = scorer.read(captions)
scorer.block = int(sys.argv[2])
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + int(sys.argv[3]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    after = scorer.read(captions)
    print(scorer.block, np.abs(after - before).max() < 1e-6)
except MetricError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("critic")
    train(folder, epochs=1)
    return folder


def score(folder: Path, *, block: int, mebibytes: int) -> str:
    command = [sys.executable, "-c", SCORE, str(folder), str(block), str(mebibytes)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_short_memory_halves_the_block(folder: Path) -> None:
    block, is_same = score(folder, block=4_000_000, mebibytes=600).split()

    assert is_same == "True"
    assert 1_000 < int(block) < 4_000_000
