from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from studies.models import Identity
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db


def test_prints_what_was_erased(capsys):
    study = make_open_study(retention_days=1)
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="zoe", created_at=NOW)
    make_rater(study, identity_hash="a" * 64, joined_at=timezone.now() - timedelta(days=2))

    call_command("erase_expired")
    call_command("erase_expired")

    assert capsys.readouterr().out.splitlines() == [
        "study  people  identities erased  kept until paid",
        "study       1                  1                0",
        "no retention period is over",
    ]
