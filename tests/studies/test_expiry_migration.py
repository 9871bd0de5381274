"""The migration that gives an end to links and tokens that have none."""

from tests.studies.management.commands.processes import call, run
from tests.studies.test_encrypting_migration import environment  # noqa: F401

BEFORE = """
from datetime import UTC, datetime
from django.db import connection
from django.db.migrations.loader import MigrationLoader
apps = MigrationLoader(connection).project_state(("studies", "0031_first_leases")).apps
def make(model, **fields):
    return apps.get_model(model).objects.create(**fields)
now = datetime(2026, 1, 1, tzinfo=UTC)
ann = make("auth.User", username="ann")
study = make("studies.Study", dataset=make("studies.Dataset", name="d", created_at=now), name="s", created_at=now)
report = make("studies.FrozenReport", study=study, number=1, made_at=now)
make("studies.ReportLink", report=report, digest="a", made_by=ann, made_at=now)
make("studies.ApiToken", study=study, digest="a", made_by=ann, made_at=now)
make("studies.ApiToken", study=study, digest="b", made_by=ann, made_at=now, expires_at=now)
"""
AFTER = """
from django.utils import timezone
from studies.models import ApiToken, ReportLink
for each in (ReportLink.objects.get(), *ApiToken.objects.order_by("pk")):
    print(round((each.expires_at - timezone.now()).total_seconds() / 86400) if each.digest == "a" else each.expires_at)
"""


def test_what_had_no_end_gets_one(environment) -> None:  # noqa: F811
    run("migrate", "studies", "0031", "--verbosity", "0", environment=environment)
    call(BEFORE, environment=environment)

    run("migrate", "--verbosity", "0", environment=environment)

    assert call(AFTER, environment=environment) == ["90", "90", "2026-01-01 00:00:00+00:00"]
