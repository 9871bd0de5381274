"""Tests of the measurement of peak memory."""

import subprocess
import sys

import numpy as np

from metrics_plugins.runtime.peak_memory import take_peak_memory


def test_peak_of_this_process() -> None:
    before = take_peak_memory()
    held = np.ones(before.process // 8 + 2**21)
    after = take_peak_memory()

    # More than all that was held before, and 16 MiB.
    assert after.process > held.nbytes >= before.process + 2**24
    del held
    # Linux counts pages in batches: what it tells may be a few dozen pages off.
    assert take_peak_memory().process > after.process - 2**20


def test_a_program_has_no_peak_of_who_started_it() -> None:
    held = np.ones(2**25)
    asked = "from metrics_plugins.runtime.peak_memory import take_peak_memory; print(take_peak_memory().process)"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert 0 < int(found.stdout) < held.nbytes


def test_accelerators_count_only_where_they_are_used() -> None:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        assert take_peak_memory().accelerator == 0
    else:
        torch.ones(2**20, device="cuda")
        assert take_peak_memory().accelerator >= 2**22
