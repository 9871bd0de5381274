"""Fixtures of these tests."""

from tests.emptying import let_tables_be_emptied  # noqa: F401 - a fixture for every test here
