"""Fixtures that tests of requests for runs share with those of reports that are made again."""

from tests.studies.scoring.requests.conftest import actor, owner, study

__all__ = ["actor", "owner", "study"]
