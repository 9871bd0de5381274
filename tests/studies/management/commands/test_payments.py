from random import Random

import pytest
from django.core.management import CommandError, call_command

from studies.collection.privacy.withdrawal import withdraw
from studies.design.study_design import Pay
from studies.enums import AuditAction, Interface
from studies.models import AuditEntry, Identity
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.scoring.working import finish, work

pytestmark = pytest.mark.django_db


def test_prints_decides_and_names_payees(capsys, tmp_path):
    study = make_open_study(n_tasks=1, pay=Pay(currency="EUR", reward=1.0, hourly_wage=12.0, budget=20.0))
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="zoe", created_at=NOW)
    rater = make_rater(study, identity_hash="a" * 64)
    work(rater, seconds=600)
    finish(rater)
    file = tmp_path / "payees.csv"

    call_command("payments", "study", "--decide", "--payees", str(file))

    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "1 payments recorded",
        "rater    outcome   minutes  sessions  earned  hourly  owed",
        "rater-1  finished     10.0         1    2.00   12.00  0.00",
        "",
        "median hourly wage: 12.00 EUR (promised 12.00)",
        "spent: 2.00, owed: 0.00, budget left: 18.00 EUR",
    ]
    assert file.read_text() == "participant,amount,currency\nzoe,1.00,EUR\n"
    assert file.stat().st_mode & 0o077 == 0


def test_what_is_paid_is_named_no_more(tmp_path):
    study = make_open_study(n_tasks=1, pay=Pay(reward=1.0, hourly_wage=12.0))
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="zoe", created_at=NOW)
    rater = make_rater(study, identity_hash="a" * 64)
    work(rater, seconds=600)
    finish(rater)
    file = tmp_path / "payees.csv"

    with pytest.raises(FileNotFoundError):
        call_command("payments", "study", "--decide", "--payees", str(tmp_path / "absent" / "payees.csv"), "--paid")
    call_command("payments", "study", "--payees", str(file), "--paid")
    assert file.read_text() == "participant,amount,currency\nzoe,1.00,EUR\n"

    call_command("payments", "study", "--payees", str(file))
    assert file.read_text() == "participant,amount,currency\n"
    with pytest.raises(CommandError, match="requires --payees"):
        call_command("payments", "study", "--paid")


def test_claim_on_a_receipt_is_printed_and_recorded_as_paid(capsys):
    study = make_open_study(n_tasks=2, pay=Pay(currency="EUR", hourly_wage=12.0))
    rater = make_rater(study)
    work(rater, seconds=600)
    receipt = withdraw(rater, erase_judgments=True, now=NOW, rng=Random(1)).code

    call_command("payments", "study")
    assert f"owed on receipt {receipt}: 2.00 EUR" in capsys.readouterr().out.splitlines()
    call_command("payments", "study", "--claim", receipt)
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == f"recorded as paid: 2.00 EUR on receipt {receipt}"
    assert lines[-1] == "spent: 2.00, owed: 0.00, budget left: - EUR"
    with pytest.raises(CommandError, match="was paid on"):
        call_command("payments", "study", "--claim", receipt)
    entry = AuditEntry.objects.get(action=AuditAction.PAID)
    assert (entry.interface, entry.details) == (Interface.COMMAND, {"claims": 1, "total": "2.00", "currency": "EUR"})


def test_study_without_pay_is_refused(capsys):
    make_open_study()

    with pytest.raises(CommandError, match="sets neither"):
        call_command("payments", "study")
