import json
import os
import subprocess
import sys

import numpy as np
import pytest

from captioning.api import CaptionerError
from captioning.training.parallel import join_processes
from tests.postgres import find_free_port


def start(path, **variables):
    command = [sys.executable, "-m", "tests.captioning.training.parallel_steps", str(path)]
    return subprocess.Popen(command, env={**os.environ, **variables})


@pytest.mark.slow
def test_two_processes_have_the_gradients_of_one_with_the_joined_batch(tmp_path):
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(find_free_port())}
    started = [start(tmp_path / "one.json")]
    started += [start(tmp_path / "two.json", RANK=str(rank), LOCAL_RANK=str(rank), **shared) for rank in (0, 1)]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]
    one, two = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("one", "two"))
    assert (one["n"], two["n"]) == (8, 4)
    for name, gradient in one["gradients"].items():
        np.testing.assert_allclose(two["gradients"][name], gradient, rtol=1e-4, atol=1e-6)
    assert any(np.any(gradient) for gradient in one["gradients"].values())


def test_batch_size_must_be_a_multiple_of_the_number_of_processes(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "3")
    with (
        pytest.raises(CaptionerError, match=r"`batch_size` .* multiple of the number of processes, got 8 and 3"),
        join_processes("cpu", batch_size=8),
    ):
        pass
