"""Fixtures of the tests of metrics."""

import pytest

from metrics_plugins.text.ptb.rules import RULES


@pytest.fixture(scope="session", autouse=True)
def _compiled_rules() -> None:
    """Compile the patterns of the tokeniser before any test whose examples have a time limit."""
    for rule in RULES:
        assert rule.starts
        assert rule.pattern
