"""Tests of the page of payments: what is owed, recorded, named once and paid."""

from random import Random

import pytest

from studies.collection.privacy.withdrawal import withdraw
from studies.design.study_design import Pay
from studies.enums import Interface
from studies.models import AuditEntry, Identity, Payment
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.scoring.working import finish, work

pytestmark = pytest.mark.django_db
PAGE = "/studies/study/payments/"


def _make_study(owner, **pay):
    study = make_open_study(n_tasks=1, pay=Pay(currency="EUR", **pay))
    study.owner = owner
    study.save()
    return study


def _let_work(study):
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="zoe", created_at=NOW)
    rater = make_rater(study, identity_hash="a" * 64)
    work(rater, seconds=600)
    finish(rater)
    return rater


def test_top_ups_are_recorded_named_and_paid_once(researcher, owner) -> None:
    _let_work(_make_study(owner, reward=1.0, hourly_wage=12.0, budget=20.0))
    before = researcher.get(PAGE).content.decode()

    decided = researcher.post(f"{PAGE}decide/", follow=True).content.decode()
    looked = researcher.post(f"{PAGE}payees.csv")
    paid = researcher.post(f"{PAGE}payees.csv", {"paid": "on"})
    again = researcher.post(f"{PAGE}payees.csv", {"paid": "on"})

    assert "1 rater is owed a top-up" in before
    assert '<th scope="row">rater-1</th><td>Finished</td><td class="number">10</td>' in before
    assert "zoe" not in before
    assert "1 payment recorded." in decided
    assert "1 recorded payment has not been paid" in decided
    assert looked.content.split() == paid.content.split() == [b"participant,amount,currency", b"zoe,1.00,EUR"]
    assert again.content.split() == [b"participant,amount,currency"]
    assert paid.headers["Cache-Control"] == "no-store"
    assert Payment.objects.get().paid_at is not None
    entries = list(AuditEntry.objects.filter(actor_name="owner", interface=Interface.PAGE).order_by("pk"))
    assert [entry.action for entry in entries] == [
        "pay_decided",
        "names_exported",
        "paid",
        "names_exported",
        "names_exported",
    ]


def test_receipt_of_who_withdrew_is_paid_once(researcher, owner) -> None:
    study = _make_study(owner, hourly_wage=12.0)
    rater = _let_work(study)
    receipt = withdraw(rater, erase_judgments=False, now=NOW, rng=Random(1)).code

    shown = researcher.get(PAGE).content.decode()
    paid = researcher.post(f"{PAGE}claim/", {"receipt": receipt.lower()}, follow=True).content.decode()
    again = researcher.post(f"{PAGE}claim/", {"receipt": receipt}, follow=True).content.decode()
    nothing = researcher.post(f"{PAGE}claim/", {"receipt": ""}, follow=True).content.decode()

    assert "Unpaid: 1 receipt." in shown
    assert receipt not in shown
    assert f"Recorded as paid: 2.00 EUR on receipt {receipt}." in paid
    assert "was paid on" in again
    assert "Type the receipt that the rater was shown." in nothing


def test_study_without_pay_says_so(researcher, owner) -> None:
    _make_study(owner)

    assert "There is nothing to pay" in researcher.get(PAGE).content.decode()
    assert "neither a reward nor an hourly wage" in researcher.post(f"{PAGE}decide/", follow=True).content.decode()
