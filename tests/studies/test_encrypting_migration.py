"""The migration that encrypts identities: who stood in plain before is known after it."""

from collections.abc import Iterator

import pytest

from tests.studies.installations import make_database, make_own_environment
from tests.studies.management.commands.processes import call, run

BEFORE = """
from django.db import connection
with connection.cursor() as cursor:
    def insert(table, **row):
        names, marks = ", ".join(row), ", ".join(["%s"] * len(row))
        cursor.execute(f"INSERT INTO studies_{table} ({names}) VALUES ({marks})", list(row.values()))
    now, zoe, berta = "2026-01-01T00:00:00Z", "a" * 64, "b" * 64
    insert("dataset", id=1, name="d", title="", source="", source_digest="", created_at=now)
    insert("study", id=1, dataset_id=1, name="s", title="", kind="rating", state="draft", protocol="", join_token="t",
           created_at=now)
    insert("identity", id=1, identity_hash=zoe, panel="prolific", participant_id="zoe-planted", created_at=now)
    insert("identity", id=2, identity_hash=berta, panel="in_house", participant_id="berta-planted", created_at=now)
    insert("rater", id=1, study_id=1, pseudonym="p", identity_hash=zoe, is_placeholder=False, joined_at=now,
           outcome="", language="", join_nonce="")
    insert("submission", id=1, study_id=1, identity_hash=zoe, panel="prolific", session_id="visit-planted",
           parameters='{"STUDY_ID": "x"}', outcome="", code="", started_at=now)
    insert("invitation", id=1, study_id=1, identity_hash=berta, token="token-planted", created_at=now)
"""
AFTER = """
from django.db import connection
from studies.collection.arrival.arriving import find_session
from studies.collection.arrival.inviting import find_invited
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.models import Rater, Study
study = Study.objects.get()
print(Rater.objects.get(identity_hash__in=list_identity_hashes(Participant("prolific", "zoe-planted"))).pseudonym)
print(find_session(study.pk, "prolific", "visit-planted").parameters)
print(find_invited(study, "token-planted").participant.participant_id)
with connection.cursor() as cursor:
    for table in ("identity", "rater", "submission", "invitation"):
        cursor.execute(f"SELECT * FROM studies_{table}")
        print("planted" in str(cursor.fetchall()))
"""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def environment(request, tmp_path) -> Iterator[dict[str, str]]:
    """An installation with an empty database."""
    if request.param == "sqlite":
        yield make_own_environment(tmp_path)
        return
    with make_database(request.getfixturevalue("postgres_url"), "encrypting") as url:
        yield make_own_environment(tmp_path, DATABASE_URL=url)


def test_who_stood_in_plain_is_known_and_encrypted(environment) -> None:
    run("migrate", "studies", "0026", "--verbosity", "0", environment=environment)
    call(BEFORE, environment=environment)

    run("migrate", "--verbosity", "0", environment=environment)

    assert call(AFTER, environment=environment) == ["p", "{'STUDY_ID': 'x'}", "berta-planted", *["False"] * 4]
