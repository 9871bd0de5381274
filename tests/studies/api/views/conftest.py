"""Fixtures with a study with judgments and scores, and its owner's API client."""

import pytest

from tests.factories.studies import make_user
from tests.shared_rows import share_in_module
from tests.studies.scored import make_scored_study

STUDY = "/api/v1/studies/study/"


class Asker:
    """Asks the API for JSON of one study."""

    def __init__(self, client):
        self.client = client

    def get(self, address="", **query):
        return self.client.get(f"{STUDY}{address}", query)

    def send(self, method, address, data=None):
        ask = getattr(self.client, method)
        return ask(f"{STUDY}{address}", data or {}, content_type="application/json")


def _make_study():
    return make_scored_study(owner=make_user("owner"))


study_of_module = share_in_module(_make_study)


@pytest.fixture
def study(db, study_of_module, tmp_path):
    return study_of_module.take(tmp_path)


@pytest.fixture
def api(client, study):
    client.force_login(study.owner)
    return Asker(client)
