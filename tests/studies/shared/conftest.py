"""Fixtures that tests of imports share with those of the files that imports read."""

from tests.studies.datasets.importing.conftest import cuts, flickr8k, refuse, run_import

__all__ = ["cuts", "flickr8k", "refuse", "run_import"]
