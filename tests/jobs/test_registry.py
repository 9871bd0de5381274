"""Tests that names of kinds are unique."""

import pytest

from jobs.registry import find_kind, list_lanes, register
from tests.jobs.kinds import kind, registered  # noqa: F401 - a fixture


def test_a_name_is_taken_once(kind):  # noqa: F811
    assert find_kind("test") is kind
    assert "tests" in list_lanes()
    assert register(kind) is kind
    with pytest.raises(ValueError, match="there is already a kind of job 'test'"), registered(title="Another"):
        pass
