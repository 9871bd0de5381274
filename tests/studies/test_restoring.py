"""Tests of restoring a real backup, in which everybody erased since is erased again."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.parts import require_program
from tests.prepared_process import PreparedProcess, prepare_process
from tests.studies.installations import make_database, make_own_environment
from tests.studies.management.commands.processes import migrate

JOIN = """
from random import Random
from studies.collection.arrival.invitations import invite
from studies.collection.arrival.raters import Participant, join_study
from studies.enums import PanelKind
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment
from tests.studies.scored import list_items
study = make_open_study()
version = study.versions.latest("number")
for number, person in enumerate(("zoe", "berta", None)):
    participant = Participant("prolific", person) if person else None
    rater = join_study(study, version=version, now=NOW, rng=Random(number), participant=participant)
    make_judgment(list_items(study)[number % 2], rater, 3.0)
invite(study, ["carla@example.org", "dora@example.org"], now=NOW)
"""
ERASE = """
from random import Random
from django.utils import timezone
from studies.collection.privacy.erasure import erase_identities
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.privacy.withdrawal import withdraw
from studies.models import Rater, Study
study, now = Study.objects.get(), timezone.now()
zoe = Rater.objects.get(identity_hash__in=list_identity_hashes(Participant("prolific", "zoe")))
print(withdraw(zoe, erase_judgments=True, now=now, rng=Random(5)).code)
unknown = Rater.objects.get(identity_hash="", outcome="")
withdraw(unknown, erase_judgments=False, now=now, rng=Random(6))
carla = list_identity_hashes(Participant("in_house", "carla@example.org"))
erase_identities(carla, study=study, now=now)
"""
LOOK = """
from studies.models import AuditEntry, Identity, Invitation, Judgment, Rater, Withdrawal
print(sorted(Identity.objects.values_list("participant_id", flat=True)))
print(Judgment.objects.count(), Rater.objects.filter(outcome="withdrawn").count(), Invitation.objects.count())
print(sorted(Withdrawal.objects.values_list("receipt", flat=True))[:1])
entries = AuditEntry.objects.filter(action="erased_again")
print([sorted(details.items()) for details in entries.values_list("details", flat=True)])
"""
BACK = ["['berta', 'carla@example.org', 'dora@example.org', 'zoe']", "3 0 2", "[]", "[]"]


@dataclass(frozen=True)
class Installation:
    """An installation whose database can be copied, and put back."""

    environment: dict[str, str]
    process: PreparedProcess
    back_up: Callable[[], None]
    restore: Callable[[], None]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def installation(request, tmp_path) -> Iterator[Installation]:
    if request.param == "sqlite":
        environment = make_own_environment(tmp_path)
        with prepare_process(environment) as process:
            yield _install_on_sqlite(tmp_path, environment, process)
        return
    server = request.getfixturevalue("postgres_url")
    with make_database(server, "restoring") as url:
        environment = make_own_environment(tmp_path, DATABASE_URL=url)
        with prepare_process(environment) as process:
            yield _install_on_postgres(tmp_path, environment, process, server=server)


def _install_on_sqlite(folder: Path, environment: dict[str, str], process: PreparedProcess) -> Installation:
    live, copy = folder / "db.sqlite3", folder / "backup.sqlite3"

    def back_up() -> None:
        # As `sqlite3 db.sqlite3 ".backup copy.sqlite3"` does.
        with closing(sqlite3.connect(live)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)

    def restore() -> None:
        for file in folder.glob("db.sqlite3*"):
            file.unlink()
        shutil.copy(copy, live)

    return Installation(environment, process, back_up, restore)


def _install_on_postgres(
    folder: Path, environment: dict[str, str], process: PreparedProcess, *, server: str
) -> Installation:
    url = environment["DATABASE_URL"]
    dump, name = folder / "backup.dump", url.rpartition("/")[2]
    tools = Path(require_program("initdb")).resolve().parent

    def back_up() -> None:
        _call_tool(tools / "pg_dump", "--format=custom", f"--file={dump}", f"--dbname={_as_libpq(url)}")

    def restore() -> None:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name}")
        _call_tool(tools / "pg_restore", f"--dbname={_as_libpq(url)}", dump)

    return Installation(environment, process, back_up, restore)


def _as_libpq(url: str) -> str:
    return url.replace("postgres://", "postgresql://", 1)


def _call_tool(*command: str | Path) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_erasures_are_made_again_after_a_restore(installation) -> None:
    process = installation.process
    migrate(installation.environment)
    process.call(JOIN)
    installation.back_up()
    (receipt,) = process.call(ERASE)
    log = Path(installation.environment["ACCORDANCE_VAR"]) / "erasures.jsonl"

    installation.restore()
    # The backup has them all again, as if nothing had been erased.
    assert process.call(LOOK) == BACK
    told = process.manage("replay_erasures")

    assert process.call(LOOK) == [
        "['berta', 'dora@example.org']",
        "2 2 1",
        f"['{receipt}']",
        "[[('people', 1), ('unconfirmed', 0), ('withdrawn', 2)]]",
    ]
    assert told.splitlines()[0] == "4 erasures in the log, 0 unconfirmed"
    assert "No erased person is in the database" in process.manage("replay_erasures")
    assert not any(name in log.read_text() for name in ("zoe", "carla", "prolific"))
    assert log.stat().st_mode & 0o777 == 0o600
