"""Fixtures for the tests of imports and of imported files."""

from tests.studies.datasets.importing.conftest import cuts, flickr8k, refuse, run_import

__all__ = ["cuts", "flickr8k", "refuse", "run_import"]
