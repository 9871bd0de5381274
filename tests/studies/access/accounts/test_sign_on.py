"""Tests of single sign-on with a real OpenID Connect provider on loopback."""

import json
import subprocess
import sys

import pytest

from tests.studies.access.accounts.provider import CLIENT, SECRET
from tests.studies.management.commands.processes import ROOT, make_environment, migrate, run


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    environment = make_environment(
        tmp_path_factory.mktemp("sign-on"),
        DJANGO_SETTINGS_MODULE="config.settings",
        ACCORDANCE_OIDC_SERVER="https://login.example.org/realms/one",
        ACCORDANCE_OIDC_CLIENT_ID=CLIENT,
        ACCORDANCE_OIDC_SECRET=SECRET,
        ACCORDANCE_OIDC_NAME="Test University",
    )
    # Single sign-on adds tables to those of an installation without it.
    migrate(environment)
    run("migrate", "--verbosity", "0", environment=environment)
    command = [sys.executable, "-m", "tests.studies.access.accounts.sign_on_steps"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_browser_may_be_sent_to_the_provider(said):
    assert "form-action 'self' https://login.example.org;" in f"{said['policy']};"


def test_nobody_gets_an_account_unless_the_operator_wants_that(said):
    assert said["closed"] == [200, 0, False]


def test_whoever_the_provider_knows_gets_one_account(said):
    assert said["new"] == ["ada", "ada@example.org", False, False, 1]
    assert said["again"] == ["ada", 1]


def test_answer_to_another_visit_and_for_another_site_is_refused(said):
    assert said["forged"] == [True, False]
    assert said["audience"] is False


def test_name_and_address_of_an_account_do_not_give_it(said):
    assert said["taken"] == [False]


def test_owner_connects_an_account(said):
    assert said["asked"] == "/account/reauthenticate/"
    assert said["connected"] == "root"
