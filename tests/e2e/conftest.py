"""Fixtures of browser tests."""

import pytest

from tests.emptying import let_tables_be_emptied  # noqa: F401 - a fixture for every test here


def pytest_configure(config: pytest.Config) -> None:
    """Let a plugin of pytest-playwright use what pytest 9 deprecates."""
    config.addinivalue_line("filterwarnings", "ignore:Session-scoped fixtures defined as instance methods")
