"""Fixtures of the tests of human studies."""

import pytest

from tests.challenges.human.evaluation import make_evaluated_phase
from tests.shared_rows import share_rows


@pytest.fixture(scope="module")
def phase_of_module(django_db_setup, django_db_blocker, tmp_path_factory):
    with share_rows(make_evaluated_phase, blocker=django_db_blocker, files=tmp_path_factory.mktemp("phase")) as shared:
        yield shared


@pytest.fixture
def phase(db, phase_of_module, tmp_path):
    """A phase with three entries on images with pictures."""
    return phase_of_module.take(tmp_path)
