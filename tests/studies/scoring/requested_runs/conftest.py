"""A study for hostile plugins, with low limits."""

import pytest

from studies.access.audit import Actor
from studies.enums import Interface
from tests.factories.studies import make_user
from tests.plugins.installing import installed_hostile_plugins
from tests.studies.scored import make_scored_study

__all__ = ["installed_hostile_plugins"]


@pytest.fixture
def _hostile(monkeypatch, settings, installed_hostile_plugins):
    monkeypatch.syspath_prepend(installed_hostile_plugins)
    settings.ACCORDANCE_METRIC_SECONDS = 8.0
    settings.ACCORDANCE_METRIC_MEMORY = 512


@pytest.fixture
def owner(db):
    return make_user("owner")


@pytest.fixture
def actor(owner):
    return Actor(user=owner, interface=Interface.PAGE)


@pytest.fixture
def study(owner):
    return make_scored_study(owner=owner, score=False)
