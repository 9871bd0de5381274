"""Fixtures of the tests of human studies."""

import pytest

from tests.challenges.human.evaluation import make_evaluated_phase
from tests.shared_rows import share_in_module

phase_of_module = share_in_module(make_evaluated_phase)


@pytest.fixture
def phase(db, phase_of_module, tmp_path):
    """A phase with three entries on images with pictures."""
    return phase_of_module.take(tmp_path)
