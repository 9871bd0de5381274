"""Fixtures of the tests of human studies."""

import pytest

from tests.challenges.human.evaluation import make_evaluated_phase


@pytest.fixture
def phase(db):
    """A phase with three entries on images with pictures."""
    return make_evaluated_phase()
