"""Fixtures for the tests of requested runs and of reports that are recreated."""

from tests.studies.scoring.requested_runs.conftest import actor, owner, study

__all__ = ["actor", "owner", "study"]
