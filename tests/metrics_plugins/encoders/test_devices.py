"""Tests that devices are those found by torch."""

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.devices import choose_budget, choose_device


def test_automatic_choice() -> None:
    import torch

    found = choose_device("auto")

    assert found == ("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")
    assert choose_device(found) == found


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(MetricError, match=r"^torch cannot compute on the device 'warp' here: "):
        choose_device("warp")
    with pytest.raises(MetricError, match=r"^torch cannot compute on the device 'cuda:99' here: "):
        choose_device("cuda:99")


def test_accelerators_take_more_at_once() -> None:
    assert choose_budget("cpu") < choose_budget("cuda:1") == choose_budget("mps")
