import math

import numpy as np
import pytest

from captioning.training.checkpoints import Checkpoint, read_checkpoint


@pytest.mark.parametrize("best_value", [0.25, -3.0, -math.inf])
def test_the_best_value_of_the_beginning_of_a_phase_is_kept(best_value, tmp_path):
    Checkpoint(1, 3, 0, best_value, (), {"network.a": np.ones(2, dtype=np.float32)}).write(tmp_path, {"seed": 1})
    found = read_checkpoint(tmp_path, {"seed": 1})
    assert (found.phase, found.step, found.best_step, found.best_value) == (1, 3, 0, best_value)
