"""Tests of the content of a copy of a study."""

import json

import pytest

from studies.design.study_design import Panel
from studies.design.versions import load_newest_version
from studies.enums import TaskKind
from studies.models import Candidate, Identity, Reference
from studies.simulation.study_copies import export_study, make_environment
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater, make_user
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", list(TaskKind))
def test_copy_has_the_design_and_nothing_of_people(kind):
    study = make_open_study(kind=kind)
    make_open_study("other")
    study.owner = make_user("secret-owner")
    study.save()
    rater = make_rater(study, "secret-pseudonym", identity_hash="a" * 64)
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="secret-person", created_at=NOW)
    if kind != TaskKind.CAPTION:
        work(rater)
    Candidate.objects.update(author=rater)

    text = export_study(study)

    rows = json.loads(text)
    assert "secret-" not in text
    assert {row["model"] for row in rows} >= {"studies.study", "studies.studyversion", "studies.task", "studies.item"}
    assert not {row["model"] for row in rows} & {
        "studies.rater",
        "studies.judgment",
        "studies.assignment",
        "studies.identity",
        "studies.slot",
    }
    assert (
        sum(row["model"] == "studies.reference" for row in rows)
        == Reference.objects.filter(image__dataset=study.dataset).count()
        > 0
    )
    (copied,) = (row["fields"] for row in rows if row["model"] == "studies.study")
    assert (copied["state"], copied["started_at"], copied["owner"]) == ("draft", None, None)


def test_copy_takes_in_scripted_raters_whom_no_panel_signs():
    panel = Panel(kind="generic", codes={"finished": "DONE1"}, is_signed=True, signing_secret="made up by a panel")
    study = make_open_study(panel=panel)

    text = export_study(study)

    assert "made up by a panel" not in text
    (version,) = [row["fields"] for row in json.loads(text) if row["model"] == "studies.studyversion"]
    assert version["design"]["panel"]["is_signed"] is False
    assert version["design"]["panel"]["codes"] == {"finished": "DONE1"}
    assert load_newest_version(study).design["panel"]["is_signed"] is True


def test_process_of_a_copy_gets_no_secret_of_the_server(tmp_path):
    secrets = {
        "SECRET_KEY": "secret",
        "DATABASE_URL": "postgres://accordance:secret@db.example/accordance",
        "CACHE_URL": "redis://:secret@cache.example",
        "EMAIL_URL": "smtp://robot:secret@mail.example",
        "ACCORDANCE_OIDC_SECRET": "secret",
        "ACCORDANCE_IDENTITY_KEY": "secret",
        "ACCORDANCE_IDENTITY_KEY_FALLBACKS": "secret",
        "ACCORDANCE_SIGN_UP_WORD": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }
    needed = {
        "PATH": "/bin",
        "LANG": "C.UTF-8",
        "ACCORDANCE_VAR": "/srv/var",
        "ACCORDANCE_AMT_ORIGINS": "https://a.example",
    }

    made = make_environment({**needed, **secrets}, rows=tmp_path / "study.json")

    assert "secret" not in " ".join(made.values())
    assert {name: made[name] for name in needed} == needed
    assert (made["DATABASE_URL"], made["CACHE_URL"]) == ("sqlite://:memory:", "locmemcache://")
