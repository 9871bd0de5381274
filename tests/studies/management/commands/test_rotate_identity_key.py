"""Tests of `rotate_identity_key` with the settings of an installation."""

import os
import secrets

import pytest

from tests.studies.management.commands.processes import call, make_environment, migrate, run

JOIN = """
from random import Random
from studies.collection.arrival.raters import Participant, join_study
from studies.models import Rater
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW
study = make_open_study()
version = study.versions.latest("number")
join_study(study, version=version, now=NOW, rng=Random(1), participant=Participant("prolific", "zoe-planted"))
"""
READ = """
from studies.models import Identity
print(*Identity.objects.values_list("participant_id", flat=True))
"""


def test_old_key_is_needed_no_more(tmp_path) -> None:
    old, new = secrets.token_urlsafe(48), secrets.token_urlsafe(48)
    before = make_environment(tmp_path, HOME=os.environ["HOME"], DJANGO_SETTINGS_MODULE="config.settings")
    before["ACCORDANCE_IDENTITY_KEY"] = old
    during = {**before, "ACCORDANCE_IDENTITY_KEY": new, "ACCORDANCE_IDENTITY_KEY_FALLBACKS": old}
    after = {**before, "ACCORDANCE_IDENTITY_KEY": new}
    migrate(before)
    call(JOIN, environment=before)

    with pytest.raises(AssertionError, match="UnknownIdentityKey"):
        call(READ, environment=after)
    assert call(READ, environment=during) == ["zoe-planted"]
    told = run("rotate_identity_key", environment=during)

    assert call(READ, environment=after) == ["zoe-planted"]
    assert told.startswith("1 identities, 1 links to them, 0 visits and 0 invitations were encrypted with an old key")
    assert "remove ACCORDANCE_IDENTITY_KEY_FALLBACKS from the settings" in told
    assert not (tmp_path / "identity_key").exists()
