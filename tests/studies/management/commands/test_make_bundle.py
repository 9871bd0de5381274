"""Tests of bundles with commands: written, rebuilt in an empty database of any kind, rejected with the reason."""

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command

from studies.models import Study
from tests.studies.management.commands.processes import run_all
from tests.studies.rated import make_rated_study

ROOT = Path(__file__).resolve().parents[4]
ASKED = {"ci": "images", "test": "perm-both", "resamples": 20, "seed": 3}


def call(*arguments, **options):
    out = StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def bundle(db, tmp_path):
    make_rated_study()
    call("freeze_report", "rated", **ASKED)
    said = call("make_bundle", "rated", 1, out=tmp_path / "rated.zip")
    assert re.fullmatch(r".*/rated\.zip: [\d,]+ bytes, SHA-256 of its manifest [0-9a-f]{64}\n", said)
    return tmp_path / "rated.zip"


def run(*arguments, **environment):
    """Run manage.py in a fresh process."""
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_bundle_is_kept_under_another_name(bundle):
    assert call("rebuild", bundle, keep="again") == (
        "study rated, report 1: 5 tables are identical byte for byte, kept as study again\n"
    )
    assert Study.objects.get(name="again").raters.count() == 3
    reports = [call("show_report", name, 1) for name in ("rated", "again")]
    assert reports[0] == reports[1]


def test_what_is_wrong_is_said(bundle, tmp_path):
    with pytest.raises(CommandError, match=r"no report 2 \(known: 1\)"):
        call("make_bundle", "rated", 2, out=tmp_path / "two.zip")
    with pytest.raises(CommandError, match="cannot write"):
        call("make_bundle", "rated", 1, out=tmp_path / "nowhere" / "one.zip")
    with pytest.raises(CommandError, match="a study or dataset 'rated' already exists"):
        call("rebuild", bundle, keep="rated")
    with pytest.raises(CommandError, match="must be the name of a user, got 'nobody'"):
        call("rebuild", bundle, keep="again", owner="nobody")
    bundle.write_bytes(bundle.read_bytes()[:-1])
    with pytest.raises(CommandError, match="is not an intact bundle"):
        call("rebuild", bundle, keep="again")


@pytest.mark.slow
def test_a_bundle_is_rebuilt_in_a_database_of_its_own(bundle, tmp_path):
    done = run("rebuild", bundle, "--out", tmp_path / "tables")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("study rated, report 1: 5 tables are identical byte for byte\n")
    names = ("report.json", "values.csv", "differences.csv", "table.md", "table.tex")
    assert {path.name for path in (tmp_path / "tables").iterdir()} == set(names)
    assert (tmp_path / "tables" / "table.md").read_text() == call("show_report", "rated", 1)

    bundle.write_bytes(b"PK")
    failed = run("rebuild", bundle)
    assert failed.returncode == 1
    assert "is not an intact bundle" in failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.slow
@pytest.mark.postgres
def test_a_bundle_made_on_sqlite_is_rebuilt_on_postgresql(tmp_path, data_folder, postgres_url):
    """Flickr8k-Expert itself: every table is the same byte for byte in another process on another database."""
    sqlite = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3"}
    *_, shown = run_all(
        ("migrate", "--verbosity", "0"),
        ("import_data", "flickr8k-expert", "--from", str(data_folder / "flickr8k")),
        ("score", "flickr8k-expert", "--metrics", "rouge-l,length"),
        ("freeze_report", "flickr8k-expert", "--ci", "images", "--test", "perm-both", "--resamples", "20"),
        ("make_bundle", "flickr8k-expert", "1", "--out", str(tmp_path / "expert.zip")),
        ("show_report", "flickr8k-expert", "1"),
        environment=sqlite,
    )

    name = f"rebuild_{os.getpid()}"
    psql(postgres_url, f"CREATE DATABASE {name}")
    try:
        rebuild = ("rebuild", str(tmp_path / "expert.zip"), "--keep", "expert", "--out", str(tmp_path / "pg"))
        _, said, shown_again = run_all(
            ("migrate", "--verbosity", "0"),
            rebuild,
            ("show_report", "expert", "1"),
            environment={**os.environ, "DATABASE_URL": postgres_url.rpartition("/")[0] + f"/{name}"},
        )
    finally:
        psql(postgres_url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    assert "5 tables are identical byte for byte, kept as study expert" in said
    assert shown_again == shown
    assert "| **0." in shown


def psql(url, statement):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
